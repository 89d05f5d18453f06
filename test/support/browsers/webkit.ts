import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { vi } from 'vitest'
import { freePort } from '../program/free-port.ts'
import { PATIENCE } from '../program/patience.ts'
import type { OpenBrowser, Tab } from './tab.ts'

/** The key of a reference to an element in JSON (WebDriver 2, section 12.1). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
/** The Control key (WebDriver 2, section 17.4.2). */
const CONTROL = '\uE009'

type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<any>

/** The executables of the Debian packages that WebKit needs. */
interface WebkitPaths {
  driver: string
  display: string
  browser: string
}

/** MiniBrowser, the browser of WebKitGTK, driven by WebKitWebDriver on a virtual display. */
export async function openWebkit({ driver, display, browser }: WebkitPaths): Promise<OpenBrowser> {
  const port = await freePort()
  const screen = spawn(display, ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [number] = (await once(screen.stdio[3] as Readable, 'data')) as [Buffer]
  const env = { ...process.env, DISPLAY: `:${number.toString().trim()}`, LIBGL_ALWAYS_SOFTWARE: '1' }
  const server = spawn(driver, [`--port=${port}`], { env, stdio: 'ignore' })
  const call: Call = async (method, path, body) => {
    const request = body ? { method, body: JSON.stringify(body) } : { method }
    const { value } = (await (await fetch(`http://127.0.0.1:${port}${path}`, request)).json()) as { value: any }
    if (value?.error) throw new Error(`${value.error}: ${value.message}`)
    return value
  }
  const stop = async (): Promise<void> => {
    for (const child of [server, screen]) await stopped(child)
  }
  try {
    await vi.waitFor(() => call('GET', '/status'), { timeout: PATIENCE })
    const options = { binary: browser, args: ['--automation'] }
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } }
    const { sessionId, capabilities: found } = await call('POST', '/session', { capabilities })
    await call('POST', `/session/${sessionId}/window/rect`, { x: 0, y: 0, width: 1280, height: 900 })
    return {
      version: `WebKitGTK ${found.browserVersion}`,
      tab: tabOf((method, path, body) => call(method, `/session/${sessionId}${path}`, body)),
      async close() {
        await call('DELETE', `/session/${sessionId}`)
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function tabOf(call: Call): Tab {
  const run = (script: (argument: never) => unknown, argument: unknown) =>
    call('POST', '/execute/sync', { script: `return (${script.toString()})(arguments[0])`, args: [argument] })
  const type = async (text: string): Promise<void> => {
    const element = await call('GET', '/element/active')
    await call('POST', `/element/${element[ELEMENT]}/value`, { text })
  }
  const textIn = async (): Promise<string> => {
    const frames = await run(() => [...document.querySelectorAll('iframe')], null)
    let text = ''
    for (const id of frames) {
      await call('POST', '/frame', { id })
      text += `${await run(() => document.body.innerText, null)}\n${await textIn()}`
      await call('POST', '/frame/parent', {})
    }
    return text
  }
  return {
    goto: (url) => call('POST', '/url', { url }),
    evaluate: run as Tab['evaluate'],
    async click(find, argument) {
      const element = await run(find, argument)
      if (!element) throw new Error(`Nothing to click: ${JSON.stringify(argument)}`)
      await call('POST', `/element/${element[ELEMENT]}/click`, {})
    },
    type,
    paste: () => type(`${CONTROL}v`),
    forget: () => call('DELETE', '/cookie'),
    textOfFrames: textIn,
  }
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill()
  await exit
}
