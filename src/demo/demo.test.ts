import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { BARE_ENV } from '#test/support/program/program.ts'
import { demoMessages } from './messages.ts'

test('npm run dev -- --demo signs a subscriber in who has two addresses with messages', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'mayfly-demo-test-'))
  const directories = () => readdirSync(temporary).filter((name) => name.startsWith('mayfly-demo-'))
  const child = spawn(process.execPath, ['src/dev.ts', '--demo'], {
    env: {
      ...BARE_ENV,
      TMPDIR: temporary,
      MAYFLY_HTTP_PORT: '0',
      MAYFLY_SMTP_PORT: '0',
      MAYFLY_METRICS_PORT: '0',
      // The demo has nothing to do with the service of this shell.
      MAYFLY_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/real',
      MAYFLY_SECRET_KEY_FILE: '/none/secret.key',
      MAYFLY_PUBLIC_URL: 'https://mayfly.example',
      MAYFLY_STRIPE_SECRET_KEY: 'sk_live',
      MAYFLY_OUTBOUND_URL: 'smtp://127.0.0.1:1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let page = ''
    for await (const line of createInterface({ input: child.stdout })) {
      page = /Page {2}(\S+)/.exec(line)?.[1] ?? ''
      if (page) break
    }
    const demo = await fetch(page, { redirect: 'manual' })
    const cookie = demo.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ')
    const get = async (path: string) => (await fetch(new URL(path, page), { headers: { cookie } })).json() as any
    const { addresses } = await get('/api/v1/account/addresses')
    expect(addresses.map(({ label }: { label: string }) => label).toSorted()).toEqual(['Newsletters', 'Sign-ups'])
    const { messages } = await get('/api/v1/messages')
    expect(messages).toHaveLength(9)
    expect(demoMessages).toHaveLength(12)
    const main = await fetch(new URL('/en', page), { headers: { cookie, 'user-agent': 'Mozilla/5.0 Firefox/140.0' } })
    expect(main.status).toBe(200)
    // Vite tells the browser of changes on the port of the page.
    const changes = new WebSocket(new URL('/', page.replace(/^http/, 'ws')), 'vite-ping')
    expect((await Promise.race([once(changes, 'open'), once(changes, 'error')]))[0].type).toBe('open')
    expect(await (await fetch(new URL('/@vite/client', page))).text()).not.toContain('24678')
    expect(directories()).toHaveLength(1)
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  expect(directories()).toEqual([])
  rmSync(temporary, { recursive: true })
})
