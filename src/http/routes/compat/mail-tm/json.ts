import type { AttachmentInfo, MessageContent, MessageSummary } from '#core/mailbox/message.ts'
import { headOf } from '#features/compat/index.ts'
import type { AddressView, OpenAddress } from '#features/mailbox/index.ts'
import { timestamp } from '../../../json/time.ts'
import type { Resource } from './resource.ts'

export function accountResource({ row: { id } }: Pick<OpenAddress, 'row'>, view: AddressView): Resource {
  const { address, storage, createdAt } = view
  return {
    type: 'Account',
    path: `/accounts/${id}`,
    fields: {
      id,
      address,
      quota: storage.limitBytes,
      used: storage.usedBytes,
      isDisabled: false,
      isDeleted: false,
      createdAt: timestamp(createdAt),
      updatedAt: timestamp(createdAt),
    },
  }
}

/** `since`: when this process started to offer the domain. */
export const domainResource = (name: string, since: string): Resource => ({
  type: 'Domain',
  path: `/domains/${name}`,
  fields: { id: name, domain: name, isActive: true, isPrivate: false, createdAt: since, updatedAt: since },
})

export function messageResource(accountId: string, summary: MessageSummary, more: object = {}): Resource {
  const { id, from, subject, preview, seen, size, attachments, receivedAt } = summary
  const { messageId, to } = headOf(summary)
  return {
    type: 'Message',
    path: `/messages/${id}`,
    fields: {
      id,
      accountId: `/accounts/${accountId}`,
      msgid: messageId,
      from,
      to,
      subject,
      intro: preview,
      seen,
      isDeleted: false,
      hasAttachments: attachments.length > 0,
      size,
      downloadUrl: `/messages/${id}/download`,
      sourceUrl: `/sources/${id}`,
      createdAt: timestamp(receivedAt),
      updatedAt: timestamp(receivedAt),
      ...more,
    },
  }
}

export const deletedMessage = (accountId: string, id: string): Resource => ({
  type: 'Message',
  path: `/messages/${id}`,
  fields: { id, accountId: `/accounts/${accountId}`, isDeleted: true },
})

/** `retention`: how long messages of the address are kept, in milliseconds. */
export function wholeMessageResource(
  accountId: string,
  { summary, content: { text, html } }: { summary: MessageSummary; content: MessageContent },
  retention: number,
): Resource {
  const { cc, bcc } = headOf(summary)
  return messageResource(accountId, summary, {
    cc: cc.map(({ address }) => address),
    bcc: bcc.map(({ address }) => address),
    flagged: false,
    verifications: [],
    retention: true,
    retentionDate: timestamp(summary.receivedAt + retention),
    text: text ?? '',
    html: html === null ? [] : [html],
    attachments: summary.attachments.map((attachment) => attachmentJson(summary.id, attachment)),
  })
}

const ID_PREFIX = 'ATTACH'
const ID_DIGITS = 6

function attachmentJson(messageId: string, { index, filename, contentType, size }: AttachmentInfo): object {
  const id = ID_PREFIX + String(index + 1).padStart(ID_DIGITS, '0')
  return {
    id,
    filename,
    contentType,
    disposition: 'attachment',
    // The encoding of the download, which is decoded.
    transferEncoding: 'binary',
    related: false,
    size,
    downloadUrl: `/messages/${messageId}/attachment/${id}`,
  }
}

/** Returns the index of an attachment from its id. -1 for any other text. */
export function attachmentIndex(id: string): number {
  const [, number = '0'] = new RegExp(String.raw`^${ID_PREFIX}(\d{${ID_DIGITS}})$`).exec(id) ?? []
  return Number(number) - 1
}
