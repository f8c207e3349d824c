"""HTTP to a service on this computer, which no certificate is needed for."""

import ssl

NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""To `verify` against. Reading the system's certificates takes far longer than a call takes."""
