import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerOf } from '#test/support/codes.ts'
import { siteClient } from '#test/support/fixtures/subscriber.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import { USER_AGENT } from '#test/support/program/browser.ts'
import { operatorOf } from '#test/support/program/operator.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

const CONTACT = {
  kind: 'contact',
  lang: 'de',
  name: 'Ann',
  reason: 'abuse',
  email: 'ann@example.com',
  message: 'Spam!',
}
const { kind: _kind, ...FIELDS } = CONTACT
const NO_LIMITS = { ...WITHOUT_LIMITS, MAYFLY_SUPPORT_BURST: '100000' }

type Headers = Record<string, string>

const write = ({ url }: Program, body: object, headers: Headers = {}) =>
  fetch(`${url}/api/v1/support`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const post = ({ url }: Program, action: string, fields: Headers, headers: Headers = {}) =>
  fetch(`${url}/actions/${action}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url, 'user-agent': USER_AGENT, ...headers },
    body: new URLSearchParams(fields),
  })

const subjects = async (program: Program): Promise<string[]> => {
  const { messages } = await operatorOf(program).json('/api/v1/messages')
  return messages.map(({ subject }: { subject: string }) => subject)
}
const metric = async ({ metricsUrl }: Program, labels: string): Promise<number> => {
  const text = await (await fetch(metricsUrl)).text()
  return Number(new RegExp(`mayfly_support_forms_total\\{${labels}\\} (\\d+)`).exec(text)?.[1] ?? 0)
}

let program: Program
beforeAll(async () => {
  program = await startProgram({ env: { ...NO_LIMITS, MAYFLY_SUPPORT_MESSAGE_MAX_CHARACTERS: '20000' } })
})
afterAll(() => program.stop())

describe('a form', () => {
  test('is in the operator mailbox before the response, with nothing of the visitor but the input', async () => {
    const response = await write(program, CONTACT, { 'user-agent': 'canary-agent', 'x-forwarded-for': '203.0.113.77' })
    expect(response.status).toBe(204)
    const operator = operatorOf(program)
    const { messages } = await operator.json('/api/v1/messages')
    expect(messages[0]).toMatchObject({
      from: { name: 'Ann via Mayfly', address: 'noreply@mayfly.test' },
      to: 'abuse@mayfly.test',
      subject: '[contact: abuse] Spam!',
    })
    const raw = await (await operator.get(`/api/v1/messages/${messages[0].id}/raw`)).text()
    expect(raw).toContain('Reply-To: Ann <ann@example.com>')
    expect(raw).toContain('Language: de')
    expect(raw).not.toMatch(/canary|203\.0\.113/)
    expect(await metric(program, 'kind="contact",outcome="sent"')).toBe(1)
  })

  test.each([
    [{ ...CONTACT, name: ' ' }, 'name_invalid'],
    [{ ...CONTACT, reason: 'nothing' }, 'reason_invalid'],
    [{ ...CONTACT, email: 'ann@' }, 'email_invalid'],
    [{ ...CONTACT, message: '' }, 'message_invalid'],
    [{ ...CONTACT, message: 'm'.repeat(20_001) }, 'message_too_long'],
  ])('refuses %j: %s', async (body, code) => {
    const before = await subjects(program)
    expect(await answerOf(write(program, body))).toEqual([422, code])
    expect(await subjects(program)).toEqual(before)
  })

  test('may be as long as configured, whatever its encoded size', async () => {
    expect((await write(program, { ...CONTACT, message: '字'.repeat(20_000) })).status).toBe(204)
    const { status } = await post(program, 'contact', { ...FIELDS, message: '字'.repeat(20_000) })
    expect(status).toBe(303)
    const tooMuch = await write(program, { ...CONTACT, message: 'm'.repeat(300_000) })
    expect(await answerOf(tooMuch)).toEqual([413, 'payload_too_large'])
  })

  test('with another shape is invalid', async () => {
    for (const body of [{}, { ...CONTACT, kind: 'premium' }, { ...CONTACT, years: 1 }, { ...CONTACT, more: 1 }, [], 1])
      expect(await answerOf(write(program, body as object))).toEqual([400, 'invalid_request'])
  })

  test('of another site, or without an origin, is refused', async () => {
    for (const origin of ['https://evil.example', 'null', ''])
      expect(await answerOf(write(program, CONTACT, { origin }))).toEqual([403, 'forbidden_origin'])
    const { headers } = await post(program, 'contact', FIELDS, { origin: 'https://evil.example' })
    expect(headers.get('location')).toBe('/de/contact?error=forbidden_origin')
  })

  test('with the hidden field filled in gets a normal response, but is dropped', async () => {
    const before = await subjects(program)
    expect((await write(program, { ...CONTACT, website: 'https://spam.example' })).status).toBe(204)
    const response = await post(program, 'contact', { ...FIELDS, website: 'x' })
    expect(response.headers.get('location')).toBe('/de/contact?sent=1')
    expect(await subjects(program)).toEqual(before)
    expect(await metric(program, 'kind="contact",outcome="trapped"')).toBe(2)
  })
})

describe('without JavaScript', () => {
  test.each<[string, Headers, string, string]>([
    ['contact', FIELDS, '/de/contact?sent=1', '[contact: abuse] Spam!'],
    ['contact', { ...FIELDS, lang: 'xx' }, '/contact?sent=1', '[contact: abuse] Spam!'],
    [
      'problem',
      { lang: 'en', reason: 'display', email: '', message: 'Oh' },
      '/en/problem?sent=1',
      '[problem: display] Oh',
    ],
  ])('%s %j redirects to %s', async (action, fields, location, subject) => {
    const response = await post(program, action, fields)
    expect([response.status, response.headers.get('location')]).toEqual([303, location])
    expect((await subjects(program))[0]).toBe(subject)
    const page = await (await fetch(program.url + location)).text()
    expect(page).toContain('role="status"')
    expect(page).not.toContain(`action="/actions/${action}"`)
  })

  test('a refused form is shown again with its input and the reason, and not in a URL', async () => {
    const message = 'A "long" <b>story</b> & more'
    const response = await post(program, 'contact', { ...FIELDS, lang: 'en', email: 'ann@nowhere', message })
    expect(response.status).toBe(422)
    expect(response.headers.get('cache-control')).toContain('no-store')
    const page = await response.text()
    expect(page).toContain('lang="en-US"')
    expect(page).toContain('A &quot;long&quot; &lt;b&gt;story&lt;/b&gt; &amp; more</textarea>')
    expect(page).toContain('value="ann@nowhere"')
    expect(page).toMatch(/<option value="abuse" selected/)
    expect(page).toMatch(/aria-invalid="true" name="email"/)
    expect(page).toContain('This doesn’t look like a valid email address')
  })

  test.each(['/', '/10-minute-mail', '/email-generator', '/change'])(
    'creating an address on %s redirects back to it',
    async (path) => {
      const prefixed = path === '/' ? '/en' : `/en${path}`
      for (const action of ['create', 'change']) {
        const done = await post(program, action, { lang: 'en', path })
        expect(done.headers.get('location')).toBe(prefixed)
        const refused = await post(program, action, { lang: 'en', path, login: 'admin' })
        expect(refused.headers.get('location')).toBe(`${prefixed}?error=login_reserved`)
      }
      for (const action of ['delete', 'extend']) {
        const refused = await post(program, action, { lang: 'en', path })
        expect(refused.headers.get('location')).toBe(`${prefixed}?error=unauthorized`)
      }
    },
  )

  test.each(['//evil.example', 'https://evil.example', '/terms', '/\\evil.example', '/change/../x', ''])(
    'never redirects to %j',
    async (path) => {
      expect((await post(program, 'create', { path })).headers.get('location')).toBe('/')
      const refused = await post(program, 'change', { path, login: 'admin' })
      expect(refused.headers.get('location')).toBe('/change?error=login_reserved')
    },
  )
})

describe('limits', () => {
  test('do not count clients on localhost unless they are set', async () => {
    const local = await startProgram()
    for (let i = 0; i < 12; i++) {
      expect((await write(local, CONTACT)).status).toBe(204)
      const asked = await siteClient(local).send('POST', '/api/v1/account/sign-in', { email: `ann${i}@real.example` })
      expect(asked.status).toBe(202)
    }
    await local.stop()
  })

  test('three forms at once, then one per minute; invalid input does not count', async () => {
    const limited = await startProgram({ env: { ...WITHOUT_LIMITS, MAYFLY_SUPPORT_BURST: '3' } })
    for (let i = 0; i < 5; i++) expect((await write(limited, { ...CONTACT, email: '' })).status).toBe(422)
    expect((await write(limited, CONTACT)).headers.get('ratelimit-remaining')).toBe('2')
    expect((await write(limited, { ...CONTACT, website: 'x' })).status).toBe(204)
    expect((await post(limited, 'problem', { reason: 'other', message: 'x' })).status).toBe(303)
    const refused = await write(limited, CONTACT)
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(50)
    expect(wait).toBeLessThanOrEqual(60)
    expect(await answerOf(refused)).toEqual([429, 'too_many_requests'])
    const form = await post(limited, 'contact', { ...FIELDS, lang: 'en', message: 'kept words' })
    expect(form.status).toBe(429)
    expect(await form.text()).toMatch(/kept words<\/textarea>[^]*again in [56]\d seconds/)
    expect(await subjects(limited)).toHaveLength(2)
    await limited.stop()
  })

  // The disk counts as full if less is free than the reserve. On a disk with more free space than the maximum reserve,
  // this can't be tested.
  const { bavail, bsize } = statfsSync(tmpdir())
  test.skipIf(bavail * bsize >= 1024 ** 4)('a full disk is reported, and the input stays', async () => {
    const full = await startProgram({ env: { ...NO_LIMITS, MAYFLY_DISK_RESERVE_BYTES: '1024GB' } })
    expect(await answerOf(write(full, CONTACT))).toEqual([507, 'disk_full'])
    const form = await post(full, 'contact', { ...FIELDS, lang: 'en', message: 'kept words' })
    expect(await form.text()).toMatch(/kept words<\/textarea>[^]*We can’t save anything right now/)
    await full.stop()
  })

  test('strangers who fill the share of postmaster@ block no form and no complaint', async () => {
    const env = { ...NO_LIMITS, MAYFLY_OPERATOR_STORAGE_BYTES: '100KB' }
    const full = await startProgram({ env })
    const mail = { subject: 'Filler', text: 'x'.repeat(6000) }
    const fill = async () => {
      for (let i = 0; i < 30; i++) await sendMail(full.smtpPort, { ...mail, to: 'postmaster@mayfly.test' })
    }
    await expect(fill()).rejects.toThrow('452 4.2.2')
    expect((await write(full, CONTACT)).status).toBe(204)
    expect((await write(full, { kind: 'problem', lang: 'en', reason: 'other', message: 'Oh' })).status).toBe(204)
    await sendMail(full.smtpPort, { ...mail, to: 'abuse@mayfly.test' })
    expect(await subjects(full)).toEqual([
      'Filler',
      '[problem: other] Oh',
      '[contact: abuse] Spam!',
      ...Array(3).fill('Filler'),
    ])
    await full.stop()
  })

  describe('of a small service', () => {
    let small: Program
    beforeAll(async () => {
      const env = {
        MAYFLY_SUPPORT_BURST: '1',
        MAYFLY_SUPPORT_SECONDS: '700',
        MAYFLY_SUPPORT_NAME_MAX_CHARACTERS: '3',
        MAYFLY_OPERATOR_STORAGE_BYTES: '4096',
      }
      small = await startProgram({ env: { ...WITHOUT_LIMITS, ...env } })
    })
    afterAll(() => small.stop())

    test('follow the settings', async () => {
      expect(await answerOf(write(small, { ...CONTACT, name: 'Anna' }))).toEqual([422, 'name_invalid'])
      expect((await write(small, CONTACT)).status).toBe(204)
      // 700 seconds, minus those since the first request.
      expect((await write(small, CONTACT)).headers.get('retry-after')).toMatch(/^(?:700|6\d\d)$/)
    })

    test('a full mailbox is reported, and the input stays', async () => {
      // Each form is of another visitor, who may send one.
      for (let i = 0; i < 10; i++) await write(small, CONTACT, { 'x-forwarded-for': `192.0.2.${i}` })
      const refused = await write(small, CONTACT, { 'x-forwarded-for': '192.0.2.10' })
      expect(await answerOf(refused)).toEqual([507, 'mailbox_full'])
      const fields = { ...FIELDS, lang: 'en', message: 'kept words' }
      const form = await post(small, 'contact', fields, { 'x-forwarded-for': '192.0.2.11' })
      expect(form.status).toBe(507)
      expect(await form.text()).toMatch(/kept words<\/textarea>[^]*We can’t receive messages right now/)
    })
  })
})
