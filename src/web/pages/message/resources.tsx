import { Archive, Eye, EyeOff, File } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { AttachmentJson } from '#contract/messages.ts'
import { Button } from '../../components/button.tsx'
import { lazyComponent } from '../../components/lazy.tsx'
import { sizeText } from '../../i18n/size.ts'
import { useLanguage, useText } from '../../i18n/text.tsx'
import css from './resources.module.css'

export interface FileRenderers {
  /** Renders the download link or button around an attachment's name and size. */
  renderDownload: (file: Pick<AttachmentJson, 'index' | 'filename'>, content: ReactNode) => ReactNode
  /** Renders the link or button that downloads all attachments. */
  renderDownloadAll: (content: ReactNode) => ReactNode
  /** Renders an image in its sandbox. */
  renderImage: (file: AttachmentJson) => ReactNode
  /** Loads the content of an attachment. */
  load: (file: AttachmentJson) => Promise<Uint8Array>
}

const IMAGE =
  /^image\/(?:png|jpe?g|gif|webp|avif|bmp)$|^application\/octet-stream\n.*\.(?:png|jpe?g|gif|webp|avif|bmp)$/i
const PDF = /^application\/(?:x-)?pdf$|^application\/octet-stream\n.*\.pdf$/i
/** Larger files are only offered for download. */
const PREVIEW_MAX_BYTES = 10 * 1024 * 1024

const PdfPreview = lazyComponent(async () => (await import('./pdf-preview.tsx')).PdfPreview)

/** How an attachment can be shown; undefined if it can only be downloaded. */
function kindOf({ contentType, filename, size }: AttachmentJson): 'image' | 'pdf' | undefined {
  if (size > PREVIEW_MAX_BYTES) return undefined
  const is = (pattern: RegExp): boolean => pattern.test(contentType) || pattern.test(`${contentType}\n${filename}`)
  return is(IMAGE) ? 'image' : is(PDF) ? 'pdf' : undefined
}

interface Props {
  attachments: readonly AttachmentJson[]
  files: FileRenderers
}

/** The attachments below a message. Images and PDFs can be shown. */
export function Resources({ attachments, files }: Props) {
  const text = useText()
  const { locale } = useLanguage().format
  const [shown, setShown] = useState<readonly number[]>([])
  if (attachments.length === 0) return null
  const toggle = (index: number): void =>
    setShown(shown.includes(index) ? shown.filter((each) => each !== index) : [...shown, index])
  return (
    <section className={css.resources} aria-labelledby="resources-title">
      <div className={css.head}>
        <h2 id="resources-title">{text('message.resources')}</h2>
        {attachments.length > 1
          ? files.renderDownloadAll(
              <>
                <Archive size={18} aria-hidden />
                <span>{text('message.downloadAll')}</span>
              </>,
            )
          : null}
      </div>
      <ul className={css.files}>
        {attachments.map((file) => {
          const { index, filename } = file
          const open = shown.includes(index)
          const kind = kindOf(file)
          return (
            <li key={index} data-open={open}>
              <div className={css.file}>
                {files.renderDownload(
                  file,
                  <>
                    <File size={16} aria-hidden />
                    <bdi className={css.name}>{filename}</bdi>
                    <span className={css.size}>{sizeText(file.size, locale)}</span>
                  </>,
                )}
                {kind ? (
                  <Button
                    look="quiet"
                    className="needs-script"
                    aria-expanded={open}
                    aria-label={text(open ? 'message.hideFile' : 'message.showFile', { name: filename })}
                    icon={open ? <EyeOff size={18} aria-hidden /> : <Eye size={18} aria-hidden />}
                    onClick={() => toggle(index)}
                  >
                    {text(open ? 'message.hide' : 'message.show')}
                  </Button>
                ) : null}
              </div>
              {open && kind === 'image' ? <div className={css.preview}>{files.renderImage(file)}</div> : null}
              {open && kind === 'pdf' ? <PdfPreview name={filename} load={() => files.load(file)} /> : null}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
