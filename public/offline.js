// The page that was asked for comes back with the connection.
addEventListener('online', () => location.reload())
