import type { OpenOptions, RemitCheckoutElement, RemitWidget } from './widget.ts'

/** What a shop's page may do, with a publishable key: no secret is in it, and nothing that needs one. */

export type * from './widget.ts'

const loading = new Map<string, Promise<RemitWidget>>()

/** Loads the widget of the Remit at `apiUrl`, once; a page shows the checkouts of one Remit only. */
export function loadWidget(apiUrl: string): Promise<RemitWidget> {
  const src = `${apiUrl.replace(/\/+$/, '')}/widget.js`
  const known = loading.get(src)
  if (known !== undefined) return known
  const loaded = new Promise<RemitWidget>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.onload = () => {
      if (window.Remit === undefined) reject(new Error(`${src} is not the widget`))
      else resolve(window.Remit)
    }
    script.onerror = () => {
      loading.delete(src)
      script.remove()
      reject(new Error(`${src} could not be loaded`))
    }
    document.head.append(script)
  })
  loading.set(src, loaded)
  return loaded
}

/** Opens a checkout as a dialog. The element that is answered closes it, and tells what happens. */
export async function openCheckout(
  apiUrl: string,
  options: OpenOptions,
): Promise<RemitCheckoutElement> {
  return (await loadWidget(apiUrl)).open(options)
}
