import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { languages } from '#locales/languages.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'
import { extensionBrowser, openExtension } from './browser.ts'
import { startSite } from './forms.ts'

/*
 * Makes what the stores of extensions ask for, from the real extension: pictures of 1280 × 800, and name and summary in each
 * language. After `npm run build`, `node test/extension/store.ts` writes them to packages/extension/dist/store.
 */
const SIZE = { width: 1280, height: 800 }
const root = join(import.meta.dirname, '../..')
const target = join(root, 'packages/extension/dist/store')

/** A page as a shop would have it. */
const SHOP = `<style>
    body { margin: 0; font: 18px/1.5 system-ui, sans-serif; background: #eef3f2; color: #13242e }
    main { max-width: 440px; margin: 120px 0 0 140px; padding: 40px; border-radius: 20px; background: #fff }
    input { display: block; width: 100%; height: 52px; margin: 8px 0 20px; padding: 0 14px; border: 1px solid #c4d2d2; border-radius: 12px; font: inherit; box-sizing: border-box }
    h1, #got { display: none }
  </style>`
const SIGN_UP = `${SHOP}<main><h2>Create your account</h2><label>Email <input type="email"></label><label>Name <input></label></main>`
const CODE = `${SHOP}<main><h2>Enter the code</h2><label>We have sent it to you <input autocomplete="one-time-code"></label></main>`

const executablePath = extensionBrowser()
if (executablePath === undefined)
  throw new Error('Only an installed Chromium runs extensions: apt-get install chromium')
await mkdir(target, { recursive: true })
const [program, site] = await Promise.all([
  startProgram({ env: WITHOUT_LIMITS }),
  startSite({ shop: SIGN_UP, enter: CODE }),
])
const browser = await openExtension({ executablePath, service: program.url })

const picture = (page: Page, name: string) => page.screenshot({ path: join(target, `${name}.png`) })

declare const chrome: {
  storage: { local: Record<'get' | 'set', (value: any) => Promise<any>> }
  tabs: { query(of: object): Promise<object[]> }
  commands: { onCommand: { dispatch(name: string, tab: object | undefined): void } }
}

/** The popup beside the page that it belongs to. */
async function popupPicture(page: Page, popup: Page): Promise<void> {
  await popup.setViewportSize({ width: 400, height: 600 })
  const shown = await popup.screenshot()
  await page.evaluate(
    (source) => {
      const image = document.createElement('img')
      image.src = source
      image.style.cssText = 'position:fixed;inset:40px 60px auto auto;border-radius:16px;box-shadow:0 12px 48px #0005'
      document.body.append(image)
      return image.decode()
    },
    `data:image/png;base64,${shown.toString('base64')}`,
  )
  await picture(page, 'popup')
}

try {
  const page = await browser.context.newPage()
  await page.setViewportSize(SIZE)
  const popup = await browser.open('popup.html')
  const address = (await popup.locator('output').textContent()) ?? ''
  await popup.locator('[data-status=live]').waitFor()

  await page.goto(site.url('shop'))
  await page.bringToFront()
  await browser.background(async () => {
    const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true })
    chrome.commands.onCommand.dispatch('fill', tab)
  }, null)
  await page.waitForFunction(() => document.querySelector('input')?.value.includes('@'))
  await page.goto(site.url('enter'))
  const mail = { from: 'Harbour Books <hello@harbour.example>', to: address }
  await sendMail(program.smtpPort, { ...mail, subject: 'Your code', text: 'Your verification code is 604218' })
  await popup.getByRole('button', { name: 'Copy the code 604218' }).waitFor()
  await page.locator('html > div').waitFor({ state: 'attached' })
  await picture(page, 'code')
  await popupPicture(page, popup)

  await browser.background(async () => {
    const { state } = await chrome.storage.local.get(null)
    await chrome.storage.local.set({ state: { ...state, settings: { ...state.settings, marks: true } } })
  }, null)
  do await page.goto(site.url('shop'))
  while ((await page.locator('html > div').count()) === 0)
  await picture(page, 'mark')

  const options = await browser.open('options.html')
  await options.setViewportSize(SIZE)
  await options.locator('h1').waitFor()
  await picture(options, 'options')
} finally {
  await browser.close()
  site.close()
  await program.stop()
}

await mkdir(join(target, 'texts'), { recursive: true })
for (const { code } of languages) {
  const texts = JSON.parse(await readFile(join(root, `locales/${code}.json`), 'utf8')) as Record<string, string>
  const lines = ['extension.name', 'extension.description'].map((key) => texts[key])
  await writeFile(join(target, 'texts', `${code}.txt`), `${lines.join('\n\n')}\n`)
}
