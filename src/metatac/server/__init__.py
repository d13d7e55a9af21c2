"""Play and analysis in the browser: HTTP and websockets around ``match``."""
