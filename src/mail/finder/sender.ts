import { codeWordsOf } from './words/words.ts'

/** Sender addresses of sign-in services, and of shops, deliveries and newsletters. */
const FROM_SECURITY =
  /verif|secur|auth|otp|account|login|log-in|signin|sign-in|identity|konto|\bid\b|password|passport|\bsso\b|3ds|alert/i
const FROM_TRADE =
  /order|shop|ship|deliver|offer|promo|market|bill|invoice|booking|reserv|ticket|track|store|sales|news|letter|survey|feedback|event|rewards|loyalty|travel|rsvp|calendar|digest|update|parcel|receipt|bestell|rechnung|pedido|commande|zakaz/i
const FROM_PERSON = /^[a-z]+[._]?[a-z]*@/i
const FROM_MACHINE = /no-?_?reply|do-?not|noreply|notif|info|hello|service|support|team|mail|system|admin|help|contact/i

/** Returns the features of the sender's address. */
export function addressFeatures(address: string): string[] {
  const features: string[] = []
  if (FROM_SECURITY.test(address)) features.push('from security')
  if (FROM_TRADE.test(address)) features.push('from trade')
  if (FROM_MACHINE.test(address)) features.push('from machine')
  else if (FROM_PERSON.test(address) && features.length === 0) features.push('from person')
  return features
}

const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Returns a function that says whether a value is a name of the sender: the display name or one of its words, a label of the
 * domain, or the local part. Some services have a number or a code as their name: `1177`, `12306`, `K2M4`.
 */
export function nameOf(name: string, address: string): (value: string) => boolean {
  const at = address.lastIndexOf('@')
  const parts = [address.slice(0, Math.max(0, at)), ...address.slice(at + 1).split('.')]
  // A few senders put the code into their display name. Numbers of six and more digits are not names.
  const words = codeWordsOf(name).length > 0 ? [] : [name, ...name.split(/\s+/)]
  const names = new Set([...parts, ...words].map(letters).filter((each) => !/^\d{6,}$/.test(each)))
  return (value) => names.has(letters(value))
}

/** Returns a function that says whether a text names the sender: `Lumo` for "Lumo Fit" or no-reply@lumo.example. */
export function senderOf(name: string, address: string): (text: string) => boolean {
  let known: string | undefined
  let domain = ''
  return (text) => {
    const asked = letters(text)
    if (known === undefined) {
      known = letters(name)
      domain = letters((/@(.*)$/.exec(address)?.[1] ?? '').split('.').slice(0, -1).join(' '))
    }
    return (
      asked.length > 1 &&
      (known.includes(asked) || (known.length > 2 && asked.startsWith(known)) || domain.includes(asked))
    )
  }
}
