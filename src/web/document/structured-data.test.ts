import { expect, test } from 'vitest'
import type { PagePayload } from '#contract/pages.ts'
import { structuredData } from './structured-data.ts'

test('questions and answers are text: no tags, and no character references', () => {
  const html = [
    '<h2 id="questions-and-answers">Q &amp; A</h2>',
    '<h3 id="a">Is &quot;a &lt; b&quot; true?</h3>',
    '<p>Yes, it&#39;s <strong>true</strong> &amp; proven.</p>\n<p>See <code>&lt;b&gt;</code>.</p>',
  ].join('\n')
  const article = { slug: 's', title: 'T', description: 'D', date: '2026-01-01', updated: '2026-01-01', html }
  const payload = {
    lang: 'en',
    page: 'article',
    path: '/articleDetail',
    query: { slug: 's' },
    data: { article },
  } as unknown as PagePayload
  const head = { title: 'T', description: 'D' } as never
  const data = structuredData(payload, ((key: string) => key) as never, head, 'https://site.example')
  expect(data).toMatchObject({
    '@graph': expect.arrayContaining([
      expect.objectContaining({
        '@type': 'FAQPage',
        mainEntity: [
          {
            '@type': 'Question',
            name: 'Is "a < b" true?',
            acceptedAnswer: { '@type': 'Answer', text: "Yes, it's true & proven. See <b>." },
          },
        ],
      }),
    ]),
  })
})
