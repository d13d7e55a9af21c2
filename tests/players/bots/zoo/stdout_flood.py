"""Never stops talking."""

while True:
    print("aa " * 1000)
