import { describe, expect, test } from 'vitest'
import { languages } from '#locales/languages.ts'
import en from '../../locales/en.json' with { type: 'json' }
import zh from '../../locales/zh.json' with { type: 'json' }
import { verdictOf } from './components/authenticity.tsx'
import { partsLeft } from './pages/home/time-left.tsx'

describe('the badge', () => {
  test.each([
    [{ spf: 'pass', dkim: 'pass', dmarc: 'pass' }, 'pass'],
    [{ spf: 'fail', dkim: 'pass', dmarc: 'pass' }, 'pass'],
    [{ spf: 'pass', dkim: 'pass', dmarc: 'fail' }, 'fail'],
    [{ spf: 'fail', dkim: 'none', dmarc: 'none' }, 'fail'],
    [{ spf: 'pass', dkim: 'pass', dmarc: 'none' }, 'none'],
    [{ spf: 'temperror', dkim: 'permerror', dmarc: 'temperror' }, 'none'],
    [{ spf: 'pending', dkim: 'pending', dmarc: 'pending' }, 'pending'],
  ] as const)('of %j says %s', (results, verdict) => expect(verdictOf(results)).toBe(verdict))
})

test.each([
  [86_400_000, 24, 0, 0],
  [3_661_000, 1, 1, 1],
  [999, 0, 0, 0],
  [-5000, 0, 0, 0],
])('%i ms are %i h %i min %i s', (left, hours, minutes, seconds) =>
  expect(partsLeft(left)).toEqual({ hours, minutes, seconds }),
)

describe('the texts', () => {
  const args = (text: string): string[] =>
    [...text.matchAll(/\{(\w+)(?=[,}])/g)].map(([, name]) => name ?? '').toSorted()

  test('zh has the keys of en, in their order, with their arguments', () => {
    expect(Object.keys(zh)).toEqual(Object.keys(en))
    for (const [key, text] of Object.entries(en))
      expect([...new Set(args((zh as any)[key]))], key).toEqual([...new Set(args(text))])
  })

  test('none is empty, and no English is left in zh', () => {
    expect(Object.values(zh).filter((text) => !text.trim())).toEqual([])
    const untranslated = Object.entries(zh).filter(
      ([key, text]) => (en as any)[key] === text && /\p{L}{3}/u.test(text.replace(/\{[^}]*\}/g, '')),
    )
    expect(untranslated.map(([key]) => key)).toEqual(['site.name'])
  })

  test('the language without a prefix comes first', () => expect(languages[0]?.code).toBe('zh'))
})
