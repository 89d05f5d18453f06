import { type Static, Type } from 'typebox'
import {
  BULK_SIGNS,
  CHECKED_LINKS_MAX,
  CHECKS,
  CLIPPED_FROM_BYTES,
  LINK_RESULTS,
  LINK_ROLES,
  LINKS_WANTED,
  LISTED_LINK_MAX_LENGTH,
  LISTED_LINKS_MAX,
  NOT_OPENED,
} from '#core/mailbox/checks.ts'
import { link } from './message-content.ts'
import { authenticationResult } from './messages.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const texts = (description: string) => Type.Array(Type.String(), { description })
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const checksQuery = Type.Object({
  links: Type.Optional(
    Type.Enum([...LINKS_WANTED], {
      description:
        '`list`, the default, opens no link. `check` opens the links of the message from this server, except those to unsubscribe and those that may be the confirmation link. ' +
        '`check-all` opens these too. Opening a link may use it up: a link that works once does not work afterwards.',
    }),
  ),
})

const linkCheck = Type.Object({
  result: Type.Enum([...LINK_RESULTS], {
    description:
      '`ok`: the last status is from 200 to 299. `failed`: it is another one, or there are too many redirects. `unreachable`: there was no answer. `timeout`: there was none in time. ' +
      '`refused`: the link leads to a host or port that this service does not connect to, or to a host that does not exist',
  }),
  status: Type.Union([Type.Integer(), Type.Null()], { description: 'The last HTTP status; null if there was none' }),
  redirects: Type.Array(
    Type.Object({
      status: Type.Integer({ description: 'The HTTP status' }),
      url: Type.String({ description: 'Where it leads' }),
    }),
    { description: 'The redirects that were followed, at most 5' },
  ),
  reason: textOrNull('Why there is no status, in English'),
})

const checkedLink = Type.Object({
  ...link.properties,
  role: Type.Union([Type.Enum([...LINK_ROLES]), Type.Null()], {
    description: 'What the link seems to do; null for an ordinary one',
  }),
  check: Type.Union([linkCheck, Type.Null()], { description: 'What opening it showed; null if it was not opened' }),
  unchecked: Type.Union([Type.Enum([...NOT_OPENED]), Type.Null()], {
    description: `Why it was not opened: not asked for, skipped because of its role, one of more than ${CHECKED_LINKS_MAX}, or no time was left`,
  }),
})

const issue = Type.Object({
  feature: Type.String({ description: 'The name of the feature: `https://www.caniemail.com/features/NAME/`' }),
  title: Type.String({ description: 'What it is' }),
  category: Type.Enum(['html', 'css', 'image'], { description: 'What it belongs to' }),
  found: Type.Integer({ minimum: 1, description: 'How often the message uses it' }),
  places: Type.Array(
    Type.Object({
      line: Type.Integer({ minimum: 1, description: 'The line of the decoded HTML' }),
      snippet: Type.String({ description: 'The tag, rule or declaration, at most 100 characters' }),
    }),
    { description: 'The first 3 places' },
  ),
  unsupported: texts('The mail clients that do not support it'),
  partial: texts('The mail clients that support a part of it'),
  unknown: texts('The mail clients whose support is not known'),
  share: Type.Object(
    {
      unsupported: Type.Number({ minimum: 0, maximum: 1, description: 'The share of `unsupported`' }),
      partial: Type.Number({ minimum: 0, maximum: 1, description: 'The share of `partial`' }),
    },
    { description: 'The share among the mail clients whose support is known' },
  ),
})

const htmlCheck = Type.Object({
  elements: count('The number of elements'),
  features: count('The number of features that are looked for'),
  clients: Type.Array(
    Type.Object({
      name: Type.String({ description: 'The name, such as `Gmail (iOS)`' }),
      family: Type.String({ description: 'The product, such as `gmail`' }),
      platform: Type.String({ description: 'The platform, such as `ios`' }),
    }),
    { description: 'The mail clients that the data is about, in their latest version' },
  ),
  issues: Type.Array(issue, { description: 'Features in use that some clients do not support, the worst first' }),
  truncated: Type.Boolean({ description: 'Whether only the beginning was checked, because the HTML is too large' }),
})

const signature = Type.Object({
  domain: Type.String({ description: 'The signing domain' }),
  selector: Type.String({ description: 'The selector of its key' }),
})

const authentication = Type.Object(
  {
    spf: Type.Object(
      { result: authenticationResult, domain: textOrNull('The domain of the envelope sender, or the name in EHLO') },
      { description: 'SPF' },
    ),
    dkim: Type.Object(
      {
        result: authenticationResult,
        signatures: Type.Array(signature, { description: 'The signatures, valid or not' }),
      },
      { description: 'DKIM' },
    ),
    dmarc: Type.Object(
      { result: authenticationResult, domain: textOrNull('The domain in the From header') },
      { description: 'DMARC' },
    ),
    note: textOrNull('Why the results say little, in English. Set for a message from the same machine or network.'),
  },
  { description: 'The checks of the sender' },
)

const spam = Type.Union(
  [
    Type.Object({
      score: Type.Number({ description: 'The score' }),
      required: Type.Number({ description: 'The score from which the filter rejects messages' }),
      action: Type.String({ description: 'What the filter would do, such as `no action` or `reject`' }),
      isSpam: Type.Boolean({ description: 'Whether it would mark or reject the message' }),
      rules: Type.Array(
        Type.Object({
          name: Type.String({ description: 'The name of the rule' }),
          score: Type.Number({ description: 'What it adds to the score' }),
          description: Type.String({ description: 'What it looks for' }),
        }),
        { description: 'The rules that match, the heaviest first' },
      ),
    }),
    Type.Object({ error: Type.String({ description: 'Why there is no score, in English' }) }),
  ],
  { description: 'What the spam filter of the operator (rspamd) says. Missing if the operator has none.' },
)

export const messageChecks = Type.Object(
  {
    problems: Type.Array(
      Type.Object({
        check: Type.Enum([...CHECKS], { description: 'The check that found it' }),
        text: Type.String({ description: 'What it is, in English. It may change.' }),
      }),
      { description: 'What you may want to change. Features that mail clients do not support are only in `html`.' },
    ),
    links: Type.Object(
      {
        total: count('The number of different web links'),
        truncated: Type.Boolean({
          description: `Whether some are not listed: there are more than ${LISTED_LINKS_MAX}, or some have more than ${LISTED_LINK_MAX_LENGTH} characters`,
        }),
        list: Type.Array(checkedLink, { description: 'The different links of the HTML and the text' }),
      },
      { description: 'The links' },
    ),
    html: Type.Union([htmlCheck, Type.Null()], {
      description: 'What mail clients support, by the data of caniemail.com. Null if there is no HTML.',
    }),
    size: Type.Object(
      {
        message: count('`size` of the message, in bytes'),
        html: count('The decoded HTML in bytes'),
        text: count('The decoded text in bytes'),
        clipped: Type.Boolean({
          description: `Whether the HTML has more than ${CLIPPED_FROM_BYTES} bytes, which Gmail cuts off`,
        }),
      },
      { description: 'The size' },
    ),
    text: Type.Object(
      {
        present: Type.Boolean({ description: 'Whether there is a text part' }),
        empty: Type.Boolean({ description: 'Whether it is missing or blank' }),
        similarity: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
          description: 'The share of the words of the HTML that it contains too; null unless both have words',
        }),
      },
      { description: 'The text part' },
    ),
    listUnsubscribe: Type.Object(
      {
        present: Type.Boolean({ description: 'Whether there is a List-Unsubscribe header (RFC 2369)' }),
        urls: texts('Its URLs'),
        https: Type.Boolean({ description: 'Whether one of them is an https URL' }),
        mailto: Type.Boolean({ description: 'Whether one of them is a mailto URL' }),
        oneClick: Type.Boolean({ description: 'Whether List-Unsubscribe-Post allows one click (RFC 8058)' }),
        signed: Type.Boolean({ description: 'Whether one DKIM signature covers both headers' }),
        bulkSigns: Type.Array(Type.Enum([...BULK_SIGNS]), { description: 'Signs that the message is bulk mail' }),
        required: Type.Boolean({
          description: 'Whether there is such a sign. Large providers require one-click unsubscribing in bulk mail.',
        }),
      },
      { description: 'The way to leave the mailing list' },
    ),
    authentication,
    spam: Type.Optional(spam),
  },
  { $id: 'MessageChecks', description: 'Checks of a message for the program that sent it' },
)
export type MessageChecksJson = Static<typeof messageChecks>
