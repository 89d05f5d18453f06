import { useLayoutEffect, useRef, useState } from 'react'
import { download } from '../../api/download.ts'
import { NotLoaded } from '../../components/not-loaded.tsx'
import { useLoaded } from '../../hooks/use-loaded.ts'
import { useText } from '../../i18n/text.tsx'
import css from './resources.module.css'

/** More pages are only in the downloaded file. */
const PAGES_MAX = 20
/** The paths of the files that PDF.js may ask for. */
const FILE = /^(?:cmaps|standard_fonts|wasm)\/[\w-][\w.-]*$/

interface Loaded {
  pdf: Uint8Array
  library: string
  code: string
}

type Result = { shown: number; total: number } | { problem: 'password' | 'unreadable' }
type Message = { ready: true } | { file: string } | Result

const fileOf = (path: string): Promise<Blob> => download(`/pdf/${path}`)

const loadAll = async (load: () => Promise<Uint8Array>): Promise<Loaded> => {
  const script = async (path: string): Promise<string> => (await fileOf(path)).text()
  const [pdf, library, code] = await Promise.all([load(), script('library.js'), script('worker.js')])
  return { pdf, library, code }
}

interface Props {
  name: string
  /** Loads the file. Called until it succeeds, and then no more. */
  load: () => Promise<Uint8Array>
}

/**
 * Shows the first pages of a PDF. They are drawn in a frame without origin and network; this page gives it the file, and
 * the code, fonts and tables of PDF.js (decision 006).
 */
export function PdfPreview({ name, load }: Props) {
  const text = useText()
  const frame = useRef<HTMLIFrameElement>(null)
  const [read] = useState(() => () => loadAll(load))
  const { loaded, problem, again } = useLoaded(read)
  const [result, setResult] = useState<Result | null>(null)

  // The listener must exist before the frame reports that it is ready.
  useLayoutEffect(() => {
    if (!loaded) return undefined
    const labels = Array.from({ length: PAGES_MAX }, (_, before) => text('message.pdfPage', { number: before + 1 }))
    const onMessage = ({ source, data }: MessageEvent<Message>): void => {
      const shown = frame.current?.contentWindow
      if (!shown || source !== shown) return
      // The frame has an opaque origin that cannot be named. Its document comes from this server.
      const post = (message: object): void => shown.postMessage(message, '*')
      if ('ready' in data) post({ ...loaded, labels })
      else if (!('file' in data)) setResult(data)
      else if (FILE.test(data.file)) {
        const { file } = data
        fileOf(file)
          .then(async (blob) => post({ file, bytes: new Uint8Array(await blob.arrayBuffer()) }))
          .catch(() => post({ file, bytes: null }))
      }
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [loaded, text])

  if (!loaded && problem) return <NotLoaded problem={problem} again={again} />
  if (result && 'problem' in result) {
    return (
      <p className={css.note} role="alert">
        {text(result.problem === 'password' ? 'message.pdfPassword' : 'message.pdfFailed')}
      </p>
    )
  }
  return (
    <>
      <p className={css.note} role="status">
        {result === null ? text('message.loading') : result.shown < result.total ? text('message.pdfPart', result) : ''}
      </p>
      {loaded ? (
        <div className={css.preview}>
          <iframe
            ref={frame}
            className={css.pdf}
            title={name}
            sandbox="allow-scripts"
            src="/frame/pdf"
            referrerPolicy="no-referrer"
          />
        </div>
      ) : null}
    </>
  )
}
