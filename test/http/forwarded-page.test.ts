import { beforeAll, describe, expect, test } from 'vitest'
import type { ForwardedData } from '#contract/pages.ts'
import { siteClient } from '#test/support/fixtures/subscriber.ts'
import { outboxOf } from '#test/support/mail/outbox.ts'
import { type ApiClient, createAddress } from '#test/support/program/api.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

const PATH = '/api/v1/forwardings'

let program: SharedProgram
beforeAll(async () => {
  program = await sharedProgram()
})

let count = 0
/** Asks a destination. Returns the link in the email. */
async function askDestination(lang = 'en') {
  const owner = await createAddress(program.url)
  const to = `reader${++count}@real.example`
  await owner.send('POST', PATH, { destination: to, lang })
  return { owner, to, link: (await outboxOf(program).next(to, 'forwarding-confirm')).link }
}
/** The same, and the destination agrees. */
async function agreed() {
  const before = await askDestination()
  await say(before.link, 'confirm')
  return { ...before, link: (await outboxOf(program).next(before.to, 'forwarding-on')).link }
}
const say = (link: URL, action: string, init: RequestInit = {}) =>
  fetch(link, { method: 'POST', body: new URLSearchParams({ action }), redirect: 'manual', ...init })
/** What a browser shows after following the link. */
async function shown(link: URL, client = siteClient(program)): Promise<ForwardedData> {
  const followed = await client.send('GET', link.pathname + link.search)
  const page = followed.headers.get('location') ?? link.pathname + link.search
  const payload = page.replace(/\/forwarded/, '/forwarded/_payload.json')
  return (await client.json<{ data: ForwardedData }>(payload)).data
}
/** The same without the parts that differ in each. */
async function dataOf(link: URL, client = siteClient(program)): Promise<Omit<ForwardedData, 'token'>> {
  const { token: _token, ...data } = await shown(link, client)
  return data
}
const state = async (owner: ApiClient) => {
  const [only] = (await owner.json(PATH)).forwardings
  return [only.state, only.end]
}
const ONE_CLICK = { 'List-Unsubscribe': 'One-Click' }

describe('the link of a consent email', () => {
  test('shows its purpose and changes nothing when it is followed', async () => {
    const { owner, to, link } = await askDestination()
    for (let i = 0; i < 3; i++) {
      const reader = siteClient(program)
      await reader.send('GET', link.pathname + link.search)
      const html = await (await reader.send('GET', link.pathname)).text()
      expect(html).toContain(owner.address)
      expect(html).toContain(to)
    }
    await fetch(link, { method: 'HEAD' })
    expect(await dataOf(link)).toEqual({
      link: 'confirm',
      live: true,
      address: owner.address,
      destination: to,
      until: null,
      days: 7,
      done: null,
    })
    expect(await state(owner)).toEqual(['waiting', null])
  })

  test.each([
    ['confirm', 'confirmed', ['on', null], true],
    ['decline', 'declined', ['ended', 'declined'], false],
    ['never', 'never', ['ended', 'declined'], false],
  ] as const)('%s: a button does it once, in any browser', async (action, done, expected, live) => {
    const { owner, link } = await askDestination('de')
    const reader = siteClient(program)
    const fields = new URLSearchParams({ confirm: (await shown(link, reader)).token ?? '', action })
    const response = await reader.send('POST', '/de/forwarded', fields, { origin: 'null' })
    expect([response.status, response.headers.get('location')]).toEqual([303, `/de/forwarded?done=${done}`])
    expect(await dataOf(new URL(`${program.url}/de/forwarded?done=${done}`), reader)).toMatchObject({
      link: 'stop',
      live,
      done,
    })
    expect(await state(owner)).toEqual(expected)
    const again = await reader.send('POST', '/de/forwarded', fields)
    expect([again.status, again.headers.get('location')]).toEqual([303, '/de/forwarded'])
    expect(await dataOf(new URL(`${program.url}/de/forwarded`), reader)).toMatchObject({
      link: 'over',
      live: false,
      address: null,
      destination: null,
    })
  })

  test('accepts the button of a page that was open before, and of one beside another link', async () => {
    const [first, second] = [await askDestination(), await askDestination()]
    const reader = siteClient(program)
    const { token } = await shown(first.link, reader)
    await shown(second.link, reader)
    await reader.send('POST', '/en/forwarded', new URLSearchParams({ confirm: token ?? '', action: 'confirm' }))
    expect([await state(first.owner), await state(second.owner)]).toEqual([
      ['on', null],
      ['waiting', null],
    ])
    expect((await say(second.link, 'confirm')).headers.get('location')).toBe('/en/forwarded?done=confirmed')
    expect(await state(second.owner)).toEqual(['on', null])
  })

  test('is over if there is nothing to confirm, and an unknown action is refused', async () => {
    const over = { link: 'over', live: false, address: null, destination: null, until: null, days: null, done: null }
    for (const query of ['', '?confirm=', '?confirm=x', '?stop=x&done=stopped', '?done=never'])
      expect(await dataOf(new URL(`${program.url}/forwarded${query}`))).toEqual(over)
    const { owner, link } = await askDestination()
    for (const action of ['', 'yes', '__proto__']) expect((await say(link, action)).status).toBe(400)
    expect((await say(new URL(`${program.url}/forwarded`), 'never')).status).toBe(400)
    expect((await say(new URL(`${program.url}/nowhere/forwarded?stop=x`), 'stop')).status).toBe(404)
    expect(await state(owner)).toEqual(['waiting', null])
  })
})

describe('the link of a forwarded message', () => {
  test('stops with a button', async () => {
    const { owner, to, link } = await agreed()
    expect(await dataOf(link)).toMatchObject({ link: 'stop', live: true, address: owner.address, destination: to })
    const response = await say(link, 'stop')
    expect(response.headers.get('location')).toBe('/en/forwarded?done=stopped')
    expect(await state(owner)).toEqual(['ended', 'declined'])
  })

  const form = new FormData()
  for (const [name, value] of Object.entries(ONE_CLICK)) form.set(name, value)
  test.each([
    ['urlencoded', new URLSearchParams(ONE_CLICK)],
    ['multipart', form],
  ])('stops with one click of a mail program (RFC 8058), %s, also twice', async (_type, body) => {
    const { owner, link } = await agreed()
    for (let i = 0; i < 2; i++) {
      const response = await fetch(link, { method: 'POST', body, redirect: 'manual' })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toContain('text/plain')
      expect(await state(owner)).toEqual(['ended', 'declined'])
    }
  })

  test('refuses one click with an invalid token, by GET, or with a broken body', async () => {
    const { owner, link } = await agreed()
    const token = link.searchParams.get('stop')!
    const forged = new URL(link)
    forged.searchParams.set('stop', token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A'))
    const body = new URLSearchParams(ONE_CLICK)
    expect((await fetch(forged, { method: 'POST', body })).status).toBe(404)
    await fetch(`${link.href}&List-Unsubscribe=One-Click`)
    const broken = { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--y\r\n' }
    expect((await fetch(link, broken)).status).toBe(400)
    expect(await state(owner)).toEqual(['on', null])
  })

  test('refuses one click that would start something', async () => {
    const { owner, link } = await askDestination()
    expect((await fetch(link, { method: 'POST', body: new URLSearchParams(ONE_CLICK) })).status).toBe(400)
    expect(await state(owner)).toEqual(['waiting', null])
  })

  test('accepts never, also when the address is gone', async () => {
    const { owner, to, link } = await agreed()
    await owner.send('DELETE', '/api/v1/address')
    expect(await dataOf(link)).toMatchObject({ link: 'stop', live: false, address: null })
    const response = await say(link, 'never')
    expect(response.headers.get('location')).toContain('?done=never')
    const other = await createAddress(program.url)
    const before = (await outboxOf(program).all()).length
    expect((await other.send('POST', PATH, { destination: to })).status).toBe(202)
    const sign = `sign${++count}@real.example`
    const third = await createAddress(program.url)
    await third.send('POST', PATH, { destination: sign })
    // The other request was sent.
    await outboxOf(program).next(sign)
    expect(await outboxOf(program).all()).toHaveLength(before + 1)
  })
})
