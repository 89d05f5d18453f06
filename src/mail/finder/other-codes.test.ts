import { describe, expect, test } from 'vitest'
import { findCodeAndLink } from './finder.ts'

const codeIn = (subject: string, text: string) =>
  findCodeAndLink({ subject, text, html: null, fromName: 'Lumo', fromAddress: 'hello@lumo.example' }).code

describe('a code of something else is no code', () => {
  test.each([
    ['Team code: 482913'],
    ['Teamcode: 482913'],
    ['Code équipe : 482913'],
    ['Código de equipo: 482913'],
    ['Kod drużyny: 482913'],
    ['Код команды: 482913'],
    ['Takım kodu: 482913'],
    ['Colour code: 482913'],
    ['Farbcode: 482913'],
    ['Codice colore: 482913'],
    ['颜色代码：482913'],
    ['Sample code: 482913'],
    ['Probencode: 482913'],
    ['Código da amostra: 482913'],
    ['検体コード：482913'],
    ['Participant code: 482913'],
    ['Kod uczestnika: 482913'],
    ['HS code: 851830'],
    ['Code SH : 851830'],
    ['Kurscode: 482913'],
  ])('%s', (line) =>
    expect(codeIn('Your registration', `Hi Maya,\n\nall is ready.\n\n${line}\n\nSee you soon!`)).toBe(null),
  )
})

describe('the verification code of a document is no code', () => {
  test.each([
    ['Document verification code: K4X9TR2Q'],
    ['Verifizierungscode des Dokuments: K4X9TR2Q'],
    ['Code de vérification du document : K4X9TR2Q'],
    ['Código de verificación del certificado: K4X9TR2Q'],
    ['Belge doğrulama kodu: K4X9TR2Q'],
    ['Kod weryfikacyjny dokumentu: K4X9TR2Q'],
    ['Κωδικός επαλήθευσης εγγράφου: K4X9TR2Q'],
    ['קוד אימות המסמך: K4X9TR2Q'],
    ['証明書検証コード：K4X9TR2Q'],
  ])('%s', (line) => expect(codeIn('Your certificate', `Hello,\n\nit is attached.\n\n${line}`)).toBe(null))

  test('but that of a signature is', () => {
    const text = 'Your verification code to sign the document is 482913. It is valid for 10 minutes.'
    expect(codeIn('Sign your document', text)).toBe('482913')
  })
})

describe('words that only look like those of other codes', () => {
  test.each([
    ['Posíláme vám kód 482913. Platí 10 minut.'],
    ['Zasíláme Vám přihlašovací kód: 482913'],
    ['Din kode er 482913. Hold koden hemmelig.'],
    ['رمز التحقق الخاص بك هو 482913. عدم مشاركة الرمز مع أي شخص.'],
    ['Your TeamViewer code is 482913. It expires in 10 minutes.'],
    ['Your Cursor sign-in code is 482913'],
    ['Your Monster security code is 482913'],
    ['Il tuo codice TIM: 482913. Non comunicarlo a nessuno.'],
    ['스팀 로그인 코드: 482913'],
    ['Your certification code is 482913. It expires in 3 minutes.'],
    ['您的文件签署验证码：482913，5分钟内有效。'],
    ['Your customer login code is 482913. It expires in 10 minutes.'],
  ])('%s', (line) => expect(codeIn('Message', line)).toBe('482913'))
})

test('a login of a service whose name begins like such a word is found', () => {
  expect(codeIn('Teams', 'Your Teams code is 482913. It expires in 10 minutes.')).toBe('482913')
})
