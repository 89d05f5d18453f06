import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'vite'

/** Sign-up pages as real sites have them. `#got` of each shows what its own script noticed. */
export const FORMS = {
  plain: `<form><label>Email <input type="email" name="email"></label><label>Password <input type="password"></label></form>`,
  nameless: `<form><label for="a">Your e-mail address</label><input id="a" name="user[login]"></form>`,
  confirm: `<form><input type="email" name="email" placeholder="Email"><input type="email" name="email_confirm" placeholder="Confirm email"></form>`,
  react: `<div id="react"></div><script defer src="/react.js"></script>`,
  vue: `<form><input type="email" name="email" id="model"></form>
    <script>
      // As v-model does: the model follows input events, and the field is drawn from the model.
      const model = { email: '' }
      const field = document.querySelector('#model')
      field.addEventListener('input', () => { model.email = field.value; document.querySelector('#got').textContent = model.email })
      setInterval(() => { field.value = model.email }, 50)
    </script>`,
  shadow: `<sign-up></sign-up><script>
      customElements.define('sign-up', class extends HTMLElement {
        connectedCallback() {
          this.attachShadow({ mode: 'open' }).innerHTML = '<form><input type="email" name="email"></form>'
          this.shadowRoot.addEventListener('input', (event) => { document.querySelector('#got').textContent = event.target.value })
        }
      })</script>`,
  iframe: `<iframe src="/form/plain" width="600" height="200"></iframe>`,
  traps: `<form autocomplete="on">
      <input type="search" name="email-search" placeholder="Search by email">
      <input type="email" name="email2" style="position:absolute;left:-9999px" tabindex="-1">
      <div style="opacity:0;height:0;overflow:hidden"><input type="email" name="website"></div>
      <input type="email" name="hp" aria-hidden="true">
      <input name="login" autocomplete="username" placeholder="Email or phone">
    </form>`,
  boxes: `<form id="boxes">${'<input inputmode="numeric" maxlength="1" aria-label="Digit">'.repeat(6)}</form>
    <script>
      const boxes = [...document.querySelectorAll('#boxes input')]
      for (const [i, box] of boxes.entries()) box.addEventListener('input', () => {
        if (box.value) boxes[i + 1]?.focus()
        document.querySelector('#got').textContent = boxes.map((each) => each.value).join('')
      })
    </script>`,
  code: `<form><input name="zip_code" placeholder="ZIP code"><input autocomplete="one-time-code" inputmode="numeric"></form>`,
} satisfies Record<string, string>
export type Form = keyof typeof FORMS

const page = (form: string): string => `<!doctype html><html><head><meta charset="utf-8"><title>Sign up</title>
  <style>input{display:block;width:300px;height:40px} #boxes input{display:inline-block;width:40px}</style></head>
  <body><h1>Sign up</h1>${form}<output id="got"></output><script>
  addEventListener('input', ({ target }) => {
    if (!document.querySelector('#model, sign-up, #react, #boxes')) document.querySelector('#got').textContent = target.value
  })</script></body></html>`

/** A controlled field, which shows only what React noticed. */
async function reactScript(): Promise<string> {
  const source = `
    import { createElement as h, useState } from 'react'
    import { createRoot } from 'react-dom/client'
    function SignUp() {
      const [email, setEmail] = useState('')
      document.querySelector('#got').textContent = email
      return h('input', { type: 'email', name: 'email', value: email, onChange: (event) => setEmail(event.target.value) })
    }
    createRoot(document.querySelector('#react')).render(h(SignUp))`
  const entry = join(import.meta.dirname, 'entry.js')
  const built = (await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'error',
    mode: 'production',
    plugins: [
      { name: 'entry', resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? source : null) },
    ],
    build: { write: false, rolldownOptions: { input: entry, output: { format: 'iife' } } },
  })) as { output: { code: string }[] }
  return built.output[0]?.code ?? ''
}

/** A frame that its site does not trust: it has the URL of the site, but not its origin. */
export const SANDBOXED = '<iframe src="/form/code" sandbox="allow-scripts" width="600" height="200"></iframe>'

export interface Site {
  /** The URL of the same page under two origins. */
  url(form: string): string
  otherUrl(form: string): string
  close(): void
}

/** A web site with the forms. `hostile` is the source of a page that attacks the extension. */
export async function startSite(pages: Record<string, string> = {}): Promise<Site> {
  const react = await reactScript()
  const all: Record<string, string> = { ...FORMS, ...pages }
  const server: Server = createServer(({ url = '' }, response) => {
    if (url === '/react.js') return void response.setHeader('content-type', 'text/javascript').end(react)
    const form = all[url.replace(/\?.*/, '').slice('/form/'.length)]
    if (form === undefined) return void response.writeHead(404).end()
    response.setHeader('content-type', 'text/html').end(page(form))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: (form) => `http://127.0.0.1:${port}/form/${form}`,
    otherUrl: (form) => `http://localhost:${port}/form/${form}`,
    close: () => server.close(),
  }
}
