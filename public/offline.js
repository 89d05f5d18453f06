// Reloads the requested page once the connection is back. Polls because the server alone may have been unreachable.
const RETRY = 5000

function comeBack() {
  fetch('/builds/latest.json', { cache: 'no-store' }).then(
    () => location.reload(),
    () => {},
  )
}

addEventListener('online', comeBack)
setInterval(comeBack, RETRY)
