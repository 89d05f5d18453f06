import type { ReactNode } from 'react'
import { describe, expect, test } from 'vitest'
import type { MessageSummaryJson } from '#contract/messages.ts'
import { LIMITS } from '#test/support/fixtures/limits.ts'
import { ENGLISH, renderOnPage } from '#test/support/fixtures/page.tsx'
import { languageOf, textOf } from '../i18n/text.tsx'
import { ErrorPage } from '../pages/error/error.tsx'
import { InboxRow } from '../pages/home/inbox-row.tsx'
import { TimeLeft } from '../pages/home/time-left.tsx'
import { Resources } from '../pages/message/resources.tsx'
import { Button } from './button.tsx'
import { CodeOrLink } from './code-or-link.tsx'
import { problemText } from './problem-line.tsx'

const NOW = Date.parse('2026-03-01T12:00:00Z')

/** The HTML of something on a page, without React's comments between texts. */
const rendered = (element: ReactNode, page: object = {}): string =>
  renderOnPage(element, {
    page: 'home',
    lang: 'en',
    path: '/',
    query: {},
    renderedAt: NOW,
    site: { limits: LIMITS },
    ...page,
  }).replaceAll('<!-- -->', '')
const words = (element: ReactNode, page?: object): string =>
  rendered(element, page)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const mail = (fields: object = {}) =>
  ({
    id: '01abc',
    from: { name: 'Bank', address: 'no-reply@bank.example' },
    subject: 'Hello',
    preview: 'Text',
    seen: false,
    receivedAt: '2026-03-01T11:30:00Z',
    expiresAt: '2026-03-02T11:30:00Z',
    attachments: [],
    code: null,
    link: null,
    candidates: [],
    ...fields,
  }) as unknown as MessageSummaryJson

test('a disabled button cannot submit its form before scripts run', () => {
  expect(rendered(<Button disabled>Save</Button>)).toContain(' disabled=""')
  expect(rendered(<Button>Save</Button>)).not.toContain('disabled')
})

describe('CodeOrLink', () => {
  const link = 'https://bank.example/confirm?a=1&b=2'
  const shown = (code: string | null, url: string | null) => {
    const html = rendered(<CodeOrLink message={{ id: '1', code, link: url, candidates: [] }} />)
    return [html.includes('Copy the code'), html.includes('Open the confirmation link on bank.example')]
  }

  test('renders nothing without a code and a link', () =>
    expect(rendered(<CodeOrLink message={{ id: '1', code: null, link: null, candidates: [] }} />)).toBe(''))

  test('offers no link that this browser cannot read', () => {
    const message = { id: '1', link: 'https://xn--0.example:x/verify', candidates: [] }
    expect(rendered(<CodeOrLink message={{ ...message, code: null }} />)).toBe('')
    const html = rendered(<CodeOrLink message={{ ...message, code: '482913' }} />)
    expect(html).toContain('482913')
    expect(html).not.toContain('href')
  })
  test.each([
    [0.5, 'code', '604218', /Maybe.*604218.*Copy the code 604218/],
    [0.5, 'link', link, /Maybe.*bank\.example.*Open the confirmation link on bank\.example/],
    [0.2, 'code', '604218', /^$/],
  ] as const)('offers a candidate of confidence %d: %s', (confidence, kind, value, shownAs) =>
    expect(
      rendered(
        <CodeOrLink
          message={{ id: '1', code: null, link: null, candidates: [{ kind, value, confidence, context: '' }] }}
        />,
      ),
    ).toMatch(shownAs),
  )
  test('shows the code and the link', () => {
    expect(shown('123456', null)).toEqual([true, false])
    expect(shown(null, link)).toEqual([false, true])
    expect(shown('123456', link)).toEqual([true, true])
  })
  test('opens the link in a new tab without a referrer', () =>
    expect(rendered(<CodeOrLink message={{ id: '1', code: null, link, candidates: [] }} />)).toMatch(
      /href="https:\/\/bank\.example\/confirm\?a=1&amp;b=2" target="_blank" rel="noopener noreferrer"/,
    ))
})

describe('InboxRow', () => {
  const row = (message: MessageSummaryJson) => (
    <InboxRow
      message={message}
      now={NOW}
      endsAt={undefined}
      isNew={false}
      selected={undefined}
      onSelect={() => {}}
      onRemove={() => {}}
    />
  )
  test('shows sender, subject, when it arrived, in UTC before hydration, and when it is deleted', () =>
    expect(words(row(mail()))).toMatch(/^Bank no-reply@bank\.example Hello Text 11:30\sAM deleted in 23 h$/))
  test('shows placeholders for a missing sender and subject', () =>
    expect(words(row(mail({ from: { name: '', address: '' }, subject: '' })))).toMatch(
      /^\(unknown sender\) \(no subject\) Text/,
    ))
  test('escapes HTML in sender, subject and preview', () => {
    const evil = '<img src=x onerror=evil()>'
    const from = { name: evil, address: evil }
    expect(rendered(row(mail({ subject: evil, preview: evil, from })))).not.toContain('<img')
  })
})

describe('TimeLeft', () => {
  const left = (expiresAt: string, lifetime: 'day' | 'ten-minutes'): string =>
    words(
      <TimeLeft address={{ address: 'a@mayfly.test', expiresAt, lifetime }} onExtend={async () => {}} busy={false} />,
    )

  test('shows hours and minutes of a day address, rounded up', () => {
    expect(left('2026-03-02T11:59:59Z', 'day')).toBe('24 hours left Each visit resets the timer Privacy')
    expect(left('2026-03-01T13:01:00Z', 'day')).toMatch(/^1 hour 1 minute left/)
  })
  test('is never empty, even after the end', () =>
    expect(['2026-03-01T12:00:00Z', '2026-03-01T11:00:00Z'].map((at) => left(at, 'day'))).toEqual(
      Array.from({ length: 2 }, () => '1 minute left Each visit resets the timer Privacy'),
    ))
  test('shows a date if forwarding extended the address', () => {
    expect(left('2026-03-02T13:00:00Z', 'day')).toMatch(/^Until Mar 2, 1:00\sPM UTC Privacy$/)
    expect(left('2026-03-02T12:59:00Z', 'day')).toMatch(/^24 hours 59 minutes left Each visit/)
  })
  test('counts seconds of a ten-minute address and offers a reset', () => {
    expect(left('2026-03-01T12:09:05Z', 'ten-minutes')).toBe('09:05 left Reset to 10 minutes Privacy')
    expect(left('2026-03-01T13:30:00Z', 'ten-minutes')).toMatch(/^90:00 left/)
    expect(left('2026-03-01T11:00:00Z', 'ten-minutes')).toMatch(/^00:00 left/)
  })
})

describe('problemText', () => {
  const text = textOf(ENGLISH, languageOf('en'), LIMITS)
  test('returns the message of the error code', () => {
    expect(problemText({ code: 'address_taken' }, text)).toMatch(/^This address is in use/)
    expect(problemText({ code: 'too_many_requests', retryAfter: 1 }, text)).toMatch(/in 1 second\.$/)
    expect(problemText({ code: 'too_many_requests' }, text)).toMatch(/in 8 seconds\.$/)
  })
  test('returns the general message for an unknown code', () =>
    expect(problemText({ code: 'disk_full' }, text)).toBe('Something went wrong. Please try again.'))
})

test.each([
  [0, '0 bytes'],
  [1023, '1,023 bytes'],
  [1024, '1 kB'],
  [1_572_864, '1.5 MB'],
])('formats a size of %i bytes as %s', (size, said) =>
  expect(
    words(
      <Resources
        attachments={[{ index: 0, filename: 'a.txt', contentType: 'text/plain', size }]}
        files={{
          renderDownload: (_file, content) => content,
          renderDownloadAll: () => null,
          renderImage: () => null,
          load: async () => new Uint8Array(),
        }}
      />,
    ),
  ).toBe(`Resources a.txt ${said}`),
)

test.each([
  [404, '/nothing', false, {}, '404 Page not found: /nothing There’s nothing'],
  [404, '/en/a: b', false, {}, '404 Page not found: /en/a: b There’s nothing'],
  [404, '/articleDetail', true, {}, '404 Page Not Found: /articleDetail There’s nothing'],
  [404, '/', true, { message: 'x' }, '404 This email no longer exists.'],
  [500, '/', true, {}, '500 Internal Server Error Something went wrong'],
])('error %i of %s', (status, requested, exists, query, said) => {
  // The title does not depend on the English message.
  const data = { status, message: 'Any words', description: '', requested, exists }
  expect(words(<ErrorPage />, { page: 'error', path: '/nothing', query, problem: null, data })).toContain(said)
})

test('shows the description of a fatal error', () => {
  const data = {
    status: 500,
    message: 'Internal error',
    description: 'Unknown route middleware',
    requested: '/',
    exists: true,
  }
  const page = { page: 'error', path: '/nothing', query: {}, problem: null, data }
  expect(words(<ErrorPage />, page)).toContain('500 Internal Server Error Unknown route middleware')
})
