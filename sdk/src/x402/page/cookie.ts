/**
 * The cookies by which the payment page hands its payment to the request that loads the resource. A browser
 * can send no header of its own when it goes somewhere, and the resource should open as any other page does.
 * Signatures of contract wallets are longer than one cookie may be, so that a payment may be in parts.
 */

const NAME = 'x402-payment'
/** In characters; browsers keep 4,096 bytes of a cookie with its name and attributes. */
const PART = 3_500
/** More than this many parts, servers would refuse the request for its headers. */
const PARTS = 4

/**
 * The payment as `name=value` of its cookies for a path; null if it is too long. The first cookie says how many
 * they are and for which path, by which a server can take it back.
 */
export function cookiesOf(payment: string, path: string): readonly string[] | null {
  const parts = payment.match(new RegExp(`.{1,${PART}}`, 'g')) ?? []
  if (parts.length === 0 || parts.length > PARTS) return null
  const about = `${parts.length}.${encodeURIComponent(path)}.`
  return parts.map((part, at) => `${NAME}-${at}=${at === 0 ? about : ''}${part}`)
}

/**
 * For which path a page's cookies are: its own. A semicolon would end the attribute and begin another,
 * `Domain` for one, so that a path with one has the cookies of its folder.
 */
export function cookiePath(pathname: string): string {
  const [plain = '', ...rest] = pathname.split(';')
  return rest.length === 0 ? plain : plain.slice(0, plain.lastIndexOf('/') + 1)
}

/** The payment in a `Cookie` header; null when there is none, or a part of it is missing. */
export function paymentInCookies(header: string | null | undefined): string | null {
  const values = paymentCookies(header)
  const [, count, , first] = firstPart(values) ?? []
  if (first === undefined) return null
  const parts = [first]
  for (let at = 1; at < Number(count); at += 1) {
    const part = values.get(`${NAME}-${at}`)
    if (part === undefined) return null
    parts.push(part)
  }
  return parts.join('')
}

/** A `Set-Cookie` that takes the payment out of the browser; null when its path could be anything else. */
export function withoutPayment(header: string | null | undefined): string | null {
  const [, , encoded = ''] = firstPart(paymentCookies(header)) ?? []
  const path = /^(%2F)[\w.~%!'()*-]*$/i.test(encoded) ? decoded(encoded) : null
  if (path === null || !/^\/[\w.~%!'()*$&+,:=@/-]*$/.test(path)) return null
  return `${NAME}-0=; Path=${path}; Max-Age=0; SameSite=Strict`
}

/** The names of the cookies in which a payment may be. */
export const PAYMENT_COOKIES: readonly string[] = Array.from(
  { length: PARTS },
  (_, at) => `${NAME}-${at}`,
)

function paymentCookies(header: string | null | undefined): ReadonlyMap<string, string> {
  const pairs = header?.includes(NAME) ? header.split(';') : []
  return new Map(
    pairs.map((pair) => {
      const [name = '', ...rest] = pair.trim().split('=')
      return [name, rest.join('=')]
    }),
  )
}

function firstPart(values: ReadonlyMap<string, string>): readonly string[] | null {
  return /^([1-4])\.(.*)\.([^.]+)$/.exec(values.get(`${NAME}-0`) ?? '')
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
