import { describe, expect, test, vi } from 'vitest'
import type { EmailContent, EmailKind } from '#core/email/email.ts'
import { languages } from '#locales/languages.ts'
import { translations } from '#test/support/fixtures/email-texts.ts'
import { type OutboxMail, parsed } from '#test/support/mail/outbox.ts'
import { composeEmail } from './compose.ts'

const URL_OF = 'https://mayfly.example/de/account?link=a&b=<"\'>'
const AT = Date.UTC(2026, 2, 1, 13)
const total = { amount: 8600, currency: 'USD' }
const CONTENTS: { [Kind in EmailKind]: Extract<EmailContent, { kind: Kind }> } = {
  'sign-in': { kind: 'sign-in', url: URL_OF, code: '019450730', minutes: 15 },
  receipt: { kind: 'receipt', plan: 'crypto', total, paidAt: AT, paidUntil: AT, renews: false, url: URL_OF },
  renewal: { kind: 'renewal', plan: 'year', total, paidAt: AT, paidUntil: AT, url: URL_OF },
  'renewal-failed': { kind: 'renewal-failed', until: AT, lapsesAt: AT, url: URL_OF },
  notice: { kind: 'notice', endsAt: AT, lapsesAt: AT, url: URL_OF },
  ended: { kind: 'ended', url: URL_OF },
  'forwarding-confirm': { kind: 'forwarding-confirm', url: URL_OF, hours: 24 },
  'forwarding-on': { kind: 'forwarding-on', url: URL_OF, until: AT },
}

async function email(content: EmailContent, language: string): Promise<OutboxMail> {
  const settings = { from: 'noreply@mayfly.example', siteUrl: () => 'https://mayfly.example', freeHours: 24 }
  const about = { id: 'id-of-the-email', to: 'ann@example.com', language, date: AT }
  return parsed(content.kind, await composeEmail(content, await translations(language), about, settings))
}
const isOfSite = (url: string): boolean => url.startsWith('https://mayfly.example/')

// Date formats are cached: this must be the first test that formats a date without a zone in this language.
test('dates are in UTC, regardless of the time zone of the machine', async () => {
  vi.stubEnv('TZ', 'Pacific/Kiritimati')
  const { subject } = await email({ ...CONTENTS.notice, endsAt: Date.UTC(2026, 2, 1, 23, 59) }, 'ms')
  vi.unstubAllEnvs()
  expect(subject).toContain('1 Mac')
})

describe.each([...Object.values(CONTENTS), { ...CONTENTS.notice, endsAt: null, renews: true }])('$kind', (content) => {
  test.each(languages)('is complete in $displayName', async ({ code, tag, dir }) => {
    const { subject = '', text = '', html = '', link, messageId, headers } = await email(content, code)
    expect(subject).toMatch(/Mayfly/)
    expect(link.href).toBe(new URL(URL_OF).href)
    expect(messageId).toBe('<id-of-the-email@mayfly.example>')
    expect(headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }))
    expect(headers).toContainEqual(expect.objectContaining({ key: 'content-language', value: tag }))
    expect(headers.some(({ key }) => key === 'list-unsubscribe' || key === 'x-mailer')).toBe(false)
    // Language and direction are set twice, because some mail clients keep only the body.
    expect(html.match(new RegExp(`lang="${tag}" dir="${dir}"`, 'g'))).toHaveLength(2)
    // Both parts have the same content, and nothing is missing.
    for (const part of [subject, text, html]) expect(part).not.toMatch(/undefined|NaN|mail\.\w/)
    const paragraphs = text.split('\n\n').filter((each) => !each.includes('https:'))
    expect(paragraphs.length).toBeGreaterThan(0)
    for (const paragraph of paragraphs) expect(html).toContain(escaped(paragraph))
    // Nothing is loaded, and every link leads to the site.
    expect(html).not.toMatch(/<(?:img|script|link|iframe|table|form)|@import|url\(|src=|cid:/i)
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)
    expect(links).toHaveLength(3)
    expect(links.every(isOfSite)).toBe(true)
    expect(html).toContain('color-scheme')
    expect(html).toContain('@media (prefers-color-scheme: dark)')
  })
})

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')

describe('the texts of emails', () => {
  test.each([
    ['sign-in', 'en', 'Sign in to Mayfly', '15 minutes'],
    ['sign-in', 'ar', 'تسجيل الدخول إلى Mayfly', '\u2066019 450 730\u2069'],
    ['sign-in', 'zh', '登录 Mayfly', '15 分钟'],
    [
      'receipt',
      'en',
      'Your receipt for Mayfly Premium',
      'Premium, paid in crypto: \u2066$86\u2069, paid on March 1, 2026',
    ],
    ['receipt', 'zh', 'Mayfly 高级版收据', '高级版，加密货币支付：\u2066US$86\u2069，付款日期 2026年3月1日'],
    ['renewal', 'en', 'Mayfly Premium has been renewed', 'Premium, 1 year: \u2066$86\u2069'],
    ['renewal-failed', 'en', 'Your payment for Mayfly Premium didn’t go through', 'stays active until March 1, 2026'],
    ['notice', 'en', 'Your Mayfly Premium ends on March 1, 2026', 'deleted 24 hours after your last visit'],
    ['ended', 'zh', '您的 Mayfly 地址现已转为免费版', '24 小时后'],
  ] as const)('%s in %s have the expected subject and words', async (kind, code, subject, words) => {
    const mail = await email(CONTENTS[kind], code)
    expect(mail.subject).toBe(subject)
    expect(mail.text?.replaceAll(/\s+/g, ' ')).toContain(words)
  })

  test('do not mention a code for a sign-in link without one', async () => {
    const { text } = await email({ kind: 'sign-in', url: URL_OF, minutes: 15 }, 'en')
    expect(text).toContain('15 minutes')
    expect(text).not.toMatch(/[Ee]nter this code|undefined/)
  })

  test('say whether a subscription renews itself', async () => {
    for (const content of [CONTENTS.receipt, CONTENTS.renewal]) {
      const textOf = async (renews: boolean) => (await email({ ...content, renews }, 'en')).text
      expect(await textOf(true)).toContain('It renews automatically until you cancel')
      expect(await textOf(false)).toContain('you won’t be charged again')
    }
    expect((await email(CONTENTS.notice, 'en')).text).toContain('Premium won’t be renewed')
  })

  test.each(languages)('do not announce an end that has passed, in $displayName', async ({ code }) => {
    const { text, day } = await translations(code)
    const announced = text('mail.notice.addresses', { date: day(AT), hours: 24 })
    expect((await email(CONTENTS.notice, code)).text).toContain(announced)
    for (const renews of [true, false]) {
      const { text: body = '' } = await email({ ...CONTENTS.notice, endsAt: null, renews }, code)
      expect(body).not.toContain(announced)
      expect(body).not.toContain(text('mail.notice.text'))
      expect(body).not.toContain(text('mail.receipt.renews'))
      expect(body.includes(text('mail.notice.renewing'))).toBe(renews)
      // Whoever pays again by the card need not buy.
      expect(body.includes(text('mail.notice.keep'))).toBe(!renews)
      expect(body).toContain(text(renews ? 'mail.account' : 'mail.notice.button'))
    }
  })
})
