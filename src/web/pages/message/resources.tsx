import { File } from 'lucide-react'
import type { AttachmentJson } from '#contract/messages.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import css from './message.module.css'

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A size in the largest unit that leaves a whole number before the point. */
function sizeText(bytes: number, locale: string): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024)))
  const format = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    maximumFractionDigits: 1,
  })
  return format.format(bytes / 1024 ** power)
}

export function Resources({ id, attachments }: { id: string; attachments: readonly AttachmentJson[] }) {
  const text = useText()
  const { locale } = useLanguage()
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
