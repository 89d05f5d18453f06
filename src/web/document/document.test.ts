import { describe, expect, test } from 'vitest'
import type { PagePayload } from '#contract/pages.ts'
import { languages } from '#locales/languages.ts'
import { languageOf } from '../i18n/text.tsx'
import { type DocumentParts, documentOf } from './document.ts'

const payload = (fields: object = {}) =>
  ({ page: 'home', lang: 'en', path: '/', query: {}, renderedAt: 0, problem: null, data: {}, ...fields }) as PagePayload

const page = (parts: Partial<DocumentParts> = {}): string =>
  documentOf({
    language: languageOf('en'),
    languages,
    publicUrl: 'https://mayfly.example',
    payload: payload(),
    buildId: 'b1',
    head: { title: 'Title', description: 'About', keywords: 'a, b' },
    imageAlt: 'Image',
    structured: null,
    assets: [],
    body: '<main></main>',
    ...parts,
  })

describe('the document', () => {
  test('names its language, direction and build', () =>
    expect(page()).toContain('<html lang="en-US" dir="ltr" data-build="b1" data-lang="en">'))

  test('embeds the payload so that no message content can close the script element', () => {
    const hostile = '</script><script>evil()</script><!--<script>\u2028'
    const html = page({ payload: payload({ data: { subject: hostile } }) })
    const [, json = ''] = /<script type="application\/json" id="payload">(.*?)<\/script>/s.exec(html) ?? []
    expect(JSON.parse(json).data.subject).toBe(hostile)
    // With the script that sets the colors.
    expect(html.match(/<script/g)).toHaveLength(2)
  })

  test('leaves out of the payload the texts that it contains already', () => {
    const question = { id: 'a', question: 'Why?', html: '<p>Because</p>' }
    const data = {
      text: { title: 'FAQ', html: '<p>Text</p>', questions: [question] },
      article: { slug: 'one', html: '<p>Article</p>' },
      message: { text: 'Kept' },
    }
    const html = page({ payload: payload({ data }) })
    const [, json = ''] = /id="payload">(.*?)<\/script>/s.exec(html) ?? []
    expect(JSON.parse(json).data).toEqual({
      text: { title: 'FAQ', html: '', questions: [{ ...question, html: '' }] },
      article: { slug: 'one', html: '' },
      message: { text: 'Kept' },
    })
  })

  test('escapes the texts of the head', () => {
    const html = page({ head: { title: '</title><b>&', description: '"><b>', keywords: '"' } })
    expect(html).toContain('<title>&lt;/title&gt;&lt;b&gt;&amp;</title>')
    expect(html).toContain('content="&quot;&gt;&lt;b&gt;"')
    expect(html).not.toContain('<b>')
  })

  test('links to the page in every language', () => {
    const html = page({ payload: payload({ path: '/change' }) })
    expect(html).toContain('<link rel="canonical" href="https://mayfly.example/en/change">')
    expect(html).toContain('<link rel="alternate" hreflang="zh-CN" href="https://mayfly.example/change">')
  })

  test('excludes error pages from search engines', () => {
    const html = page({ payload: payload({ page: 'error', path: '/"><b>' }) })
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(html).not.toContain('rel="canonical"')
    expect(html).not.toContain('"><b>')
  })

  test('requests its files in order', () => {
    const html = page({
      assets: [
        { kind: 'style', file: '/a.css' },
        { kind: 'script', file: '/b.js' },
        { kind: 'preload', file: '/c.js' },
      ],
    })
    expect([...html.matchAll(/(?:href|src)="(\/[abc]\.\w+)"/g)].map(([, file]) => file)).toEqual([
      '/a.css',
      '/b.js',
      '/c.js',
    ])
  })
})
