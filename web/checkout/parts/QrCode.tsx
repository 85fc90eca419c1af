import { useEffect, useState } from 'preact/hooks'
import type { DrawnCode } from './drawCode.ts'

const RETRY_MS = 2_000

interface QrCodeProps {
  readonly text: string
  readonly label: string
  /** A rendered code; unused if its text differs. */
  readonly drawn?: DrawnCode | null
}

/** A QR code as one path on white. What draws another one than came with the page is loaded when it is needed. */
export function QrCode({ text, label, drawn = null }: QrCodeProps) {
  const [loaded, setLoaded] = useState<DrawnCode | null>(null)
  const code = [drawn, loaded].find((one) => one?.text === text)
  useEffect(() => {
    if (drawn?.text === text) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = () =>
      import('./drawCode.ts').then(
        ({ drawCode }) => setLoaded(drawCode(text)),
        // The server may be restarting; the address is readable meanwhile.
        () => {
          timer = setTimeout(load, RETRY_MS)
        },
      )
    load()
    return () => clearTimeout(timer)
  }, [text, drawn])
  const { size, dark } = code ?? { size: 1, dark: '' }
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path class="light" d={`M0 0h${size}v${size}h-${size}z`} />
      <path d={dark} />
    </svg>
  )
}
