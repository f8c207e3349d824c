"""People who were typed and are not yet with the service: kept, sent, and never sent twice."""
