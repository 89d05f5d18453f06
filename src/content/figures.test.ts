import { expect, test } from 'vitest'
import { exampleFigures, type Figures, fillFigures } from './figures.ts'

const figures = { addresses: '1.000', ownDomains: null } as Figures
const TEXT = '- **{addresses} Adressen**\n- {ownDomains} Domains\n- {other}\nBis zu {ownDomains}'

test('puts in the numbers, and leaves out items about what there is none of', () =>
  expect(fillFigures(TEXT, figures)).toBe('- **1.000 Adressen**\n- {other}\nBis zu 0'))

test('has an example of each number in the digits of a language', () => {
  const { addresses, keyAddresses } = exampleFigures('fa-IR')
  expect([addresses, keyAddresses]).toEqual(['۱۰۱', '۱۰۸'])
})
