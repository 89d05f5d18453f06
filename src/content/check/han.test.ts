import { expect, it } from 'vitest'
import { isSimplified, isTraditional, notJapanese } from './han.ts'

const filter = (text: string, test: (character: string) => boolean) => Array.from(text).filter(test).join('')

it('distinguishes simplified, traditional and Japanese characters', () => {
  const both = '的一是不我有人在中大地上件用可'
  expect(filter(`${both}這個說國郵箱`, isTraditional)).toBe('這個說國郵')
  expect(filter(`${both}这个说国邮么后里`, isSimplified)).toBe('这个说国邮么后里')
  expect(filter(`${both}対応箱这说`, notJapanese)).toBe('这说')
})
