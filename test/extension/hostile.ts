/** A page that tries to read the addresses, to trigger a fill, to frame the popup and to send messages of its own. */
export const HOSTILE = `<form><input type="email" name="email"></form><div id="report"></div>
<script>
const extension = location.hash.slice(1)
const report = []
const note = (what) => report.push(what)

// Reads shadow trees of all elements that are added.
const attach = Element.prototype.attachShadow
Element.prototype.attachShadow = function (options) {
  note('the page sees the shadow tree')
  return attach.call(this, { ...options, mode: 'open' })
}
async function attack() {
  // Messages to the extension, directly and through the window.
  try {
    await chrome.runtime.sendMessage(extension, { type: 'fill' })
    note('a message was answered')
  } catch {}
  for (const type of ['fill', 'marks', 'connect', 'done']) postMessage({ type, token: 'mfk_x', email: 'x', kept: [] }, '*')
  if (globalThis.mayfly) note('the world of the extension is open')
  // The files of the extension.
  for (const path of ['popup.html', 'options.html', 'service.json', 'page.js', 'messages/en.json']) {
    try {
      await fetch('chrome-extension://' + extension + '/' + path)
      note(path + ' can be read')
    } catch {}
  }
  const frame = document.createElement('iframe')
  frame.src = 'chrome-extension://' + extension + '/popup.html'
  document.body.append(frame)
  await new Promise((resolve) => { frame.onload = resolve; setTimeout(resolve, 1000) })
  try {
    if (frame.contentDocument && frame.contentDocument.querySelector('#root')) note('the popup was framed')
  } catch {}
  // Events that no person made, on everything that the extension added.
  for (let i = 0; i < 20; i++) {
    for (const host of document.querySelectorAll('html > div')) {
      if (host.shadowRoot) note('a shadow tree is open')
      for (const type of ['mousedown', 'mouseup', 'click']) host.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true }))
      host.click()
    }
    const field = document.querySelector('input')
    const { right, top, height } = field.getBoundingClientRect()
    document.elementFromPoint(right - 16, top + height / 2)?.click()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  document.querySelector('#report').textContent = JSON.stringify(report)
  const done = document.createElement('p')
  done.id = 'done'
  done.textContent = 'done'
  document.body.append(done)
}
addEventListener('load', attack)
</script>`
