import { describe, expect, test } from 'vitest'
import { findCodeAndLink } from './finder.ts'
import { measure, searchOnce } from './measure.ts'
import { plainMails, type Sentences } from './plain.ts'

const find = (subject: string, text: string | null, html: string | null = null) =>
  findCodeAndLink({ subject, text, html, fromName: 'Lumo', fromAddress: 'no-reply@lumo.example' })

/**
 * The least share of right answers, and of messages whose code or link is found, in all languages and in each of them.
 */
const FLOORS: Record<Sentences, { precision: number; recall: number; each: number }> = {
  learned: { precision: 0.98, recall: 0.92, each: 0.8 },
  'held out': { precision: 0.9, recall: 0.85, each: 0 },
}

describe.each(['learned', 'held out'] as const)('the shortest mails, their sentences %s', (sentences) => {
  // Other codes, brands and markup than those that are learned from.
  const mails = plainMails({ seed: 2, copies: 2, sentences })
  const floors = FLOORS[sentences]
  const search = searchOnce()

  test.each(['code', 'link'] as const)('have their %s', (kind) => {
    const found = measure(mails, kind, search)
    expect(found.precision).toBeGreaterThanOrEqual(floors.precision)
    expect(found.recall).toBeGreaterThanOrEqual(floors.recall)
    const recalls = [...Map.groupBy(mails, ({ language }) => language)].map(
      ([language, own]) => [language, measure(own, kind, search).recall] as const,
    )
    expect(recalls.filter(([, recall]) => recall < floors.each)).toEqual([])
  })
})

test.each([
  'Confirm payment',
  'Approve transfer',
  'Confirm account deletion',
  'Accept quote',
  'Überweisung bestätigen',
  'Löschung bestätigen',
  'Confirmer le virement',
  'Confirmar pago',
  'Подтвердить перевод',
  '确认付款',
])('a button that spends or deletes is no confirmation: %s', (label) => {
  const html = `<p><a href="https://lumo.example/r/a8f3k2m9q7x1c5v0b4n6" style="background:#06c">${label}</a></p>`
  for (const subject of ['Lumo', 'Hello', label]) expect(find(subject, null, html).link).toBeNull()
})

test.each(['Subscribe for $9.99 a month', 'Jetzt für 9,99 € abonnieren', "S'abonner pour 9,99 €", '每月 30 元订阅'])(
  'a link with an amount of money in its label is never certain: %s',
  (label) => {
    const html = `<p><a href="https://lumo.example/confirm?token=a8f3k2m9q7x1c5v0b4n6">${label}</a></p>`
    expect(find('Confirm your email address', null, html).link).toBeNull()
  },
)

test.each(['account/delete/confirm', 'transfers/confirm', 'merge/confirm', 'purchases/approve'])(
  'a button "Confirm" whose URL says %s is no confirmation of an address',
  (path) => {
    const html = `<p><a href="https://app.lumo.example/${path}?token=a8f3k2m9q7x1c5v0b4n6">Confirm</a></p>`
    expect(find('Lumo', null, html).link).toBeNull()
  },
)

test.each([
  'Confirm your email',
  'Activate my account',
  'E-Mail-Adresse bestätigen',
  'Confirmer mon compte',
  '验证邮箱',
])('a button that says what it confirms needs no sentence: %s', (label) => {
  const link = 'https://click.lumo.example/ls/click?upn=a8f3k2m9q7x1c5v0b4n6'
  const html = `<p><a href="${link}" style="background:#06c">${label}</a></p>`
  for (const subject of ['Lumo', 'Hello']) expect(find(subject, null, html).link).toBe(link)
})

test.each([
  ['Delete your account', 'Confirm account deletion'],
  ['Eliminar cuenta', 'Confirmar eliminación de la cuenta'],
  ['Konto löschen', 'Kontolöschung bestätigen'],
  ['Your membership', 'Confirm membership cancellation'],
  ['注销账号', '确认注销账号'],
])('a link that deletes an account is never certain: %s, %s', (subject, label) => {
  const html = `<p>${subject}</p><p><a href="https://lumo.example/confirm?token=a8f3k2m9q7x1c5v0b4n6">${label}</a></p>`
  expect(find(subject, null, html).link).toBeNull()
})

test.each(['Your code 482913 still works for 5 minutes.', 'Code 482913 is still valid.', 'Porto login code: 482913'])(
  'words that footers often have do not hide a code: %s',
  (text) => expect(find('Lumo', text).code).toBe('482913'),
)

test.each([
  'I put 4500 in the shared account, ok?',
  'We put 12000 into the fund last year.',
  'Reply with 4471 to vote for Tom!',
  'Svara med 4471 för att bekräfta din tid på onsdag.',
  'Pulsa 50000 sudah masuk ke nomor Anda.',
])('a number in an everyday sentence is no code: %s', (text) => expect(find('Hello', text).code).toBeNull())

test('letters and digits at random in the subject say nothing', () => {
  const link = 'https://lumo.example/confirm?token=q89a37be8fe53439d4456'
  const html = `<p>Your verification code is <b>Y5J6L1X8</b></p><a href="${link}">Confirm</a>`
  for (const subject of ['q2517b98f9215c7520263', 'q9ced79d1258aa258f12c'])
    expect(find(subject, null, html)).toMatchObject({ code: 'Y5J6L1X8', link })
})

test.each([
  'Enter 604218 to replace your old email address.',
  'Your password has expired. Your reset code is 604218.',
  'Use code 604218 to replace your old device.',
])('what is old is not the code: %s', (text) => expect(find('Lumo', text).code).toBe('604218'))
