/**
 * URLs of Postgres. One may name several servers, of which one is the primary at a time, as libpq writes it:
 * `postgres://remit_api@a:5432,b:5432/remit?target_session_attrs=primary`.
 */

const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]+)(.*)$/s

/** The same URL once for each server that it names, in their order; empty where it is no such URL. */
export function singleServers(text: string): string[] {
  const [, before = '', hosts = '', after = ''] = URL_PARTS.exec(text.trim()) ?? []
  const urls = hosts.split(',').map((host) => `${before}${host}${after}`)
  return urls.every((url) => URL.parse(url) !== null) && hosts !== '' ? urls : []
}

/** Whether a client can read it: also a URL without a host, whose server listens on a socket of the machine. */
export function isDatabaseUrl(text: string): boolean {
  if (singleServers(text).length > 0) return true
  return /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? '')
}

/** The URL with something changed that all of its servers share; null where it is none of Postgres. */
export function changeUrl(text: string, change: (url: URL) => void): string | null {
  const [first] = singleServers(text)
  if (first === undefined) return null
  const [, , hosts = ''] = URL_PARTS.exec(text.trim()) ?? []
  const url = new URL(first)
  change(url)
  const [, before = '', , after = ''] = URL_PARTS.exec(url.href) ?? []
  return `${before}${hosts}${after}`
}
