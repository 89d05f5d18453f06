// The page that was asked for comes back with the connection; where only the server was away, a little later.
const RETRY = 5000

function comeBack() {
  fetch('/builds/latest.json', { cache: 'no-store' }).then(
    () => location.reload(),
    () => {},
  )
}

addEventListener('online', comeBack)
setInterval(comeBack, RETRY)
