import { File } from 'lucide-react'
import type { AttachmentJson } from '#contract/messages.ts'
import { sizeText } from '../../i18n/size.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import css from './message.module.css'

export function Resources({ id, attachments }: { id: string; attachments: readonly AttachmentJson[] }) {
  const text = useText()
  const { locale } = useLanguage().format
  if (attachments.length === 0) return <span className={css.soft}>{text('message.noResources')}</span>
  return (
    <ul className={css.files}>
      {attachments.map(({ index, filename, size }) => (
        <li key={index}>
          <a
            href={`/api/v1/messages/${id}/attachments/${index}`}
            download
            title={text('message.download', { name: filename })}
          >
            <File size={16} aria-hidden />
            <bdi>{filename}</bdi>
            <span className={css.soft}>{sizeText(size, locale)}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
