import { File } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AttachmentJson } from '#contract/messages.ts'
import { sizeText } from '../../i18n/size.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import css from './message.module.css'

interface Props {
  attachments: readonly AttachmentJson[]
  /** Renders the download link or button around an attachment's name and size. */
  children: (file: AttachmentJson, content: ReactNode) => ReactNode
}

export function Resources({ attachments, children }: Props) {
  const text = useText()
  const { locale } = useLanguage().format
  if (attachments.length === 0) return <span className={css.soft}>{text('message.noResources')}</span>
  return (
    <ul className={css.files}>
      {attachments.map((file) => (
        <li key={file.index}>
          {children(
            file,
            <>
              <File size={16} aria-hidden />
              <bdi>{file.filename}</bdi>
              <span className={css.soft}>{sizeText(file.size, locale)}</span>
            </>,
          )}
        </li>
      ))}
    </ul>
  )
}
