import { expect, it } from 'vitest'
import { checkHead } from './head.ts'

const source = { title: 'Title', description: 'd'.repeat(100), keywords: 'a, b, c', date: '2026-11-21' }

it('accepts fields like those of the source', () => {
  expect(checkHead({ ...source, title: 'Titel', keywords: '甲,乙,丙' }, source)).toEqual([])
})

it('finds missing and superfluous fields and a wrong date', () => {
  expect(checkHead({ ...source, keywords: '' }, source)).toContain('lacks the field keywords')
  expect(checkHead({ ...source, author: 'x' }, source)).toEqual([
    'has the field author, which the source does not have',
  ])
  expect(checkHead({ ...source, date: '2026-11-22' }, source)).toEqual([
    'has the date 2026-11-22, the source 2026-11-21',
  ])
})

it('finds texts that are too long or too short for search engines', () => {
  expect(checkHead({ ...source, title: 't'.repeat(71) }, source)).toEqual(['title is 71 columns long, not 2 to 70'])
  expect(checkHead({ ...source, title: '字'.repeat(36) }, source)).toEqual(['title is 72 columns long, not 2 to 70'])
  expect(checkHead({ ...source, description: 'short' }, source)).toEqual([
    'description is 5 columns long, not 50 to 180',
  ])
})

it('finds too few and duplicate keywords', () => {
  expect(checkHead({ ...source, keywords: 'a، b، c' }, source)).toHaveLength(1)
  expect(checkHead({ ...source, keywords: 'a, b, a' }, source)).toEqual(['has a duplicate keyword'])
})
