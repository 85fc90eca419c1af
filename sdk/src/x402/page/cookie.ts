/**
 * The cookies by which the payment page passes its payment to the request that loads the resource. A browser
 * can't send custom headers when it navigates, and the resource should open like any other page.
 * Signatures of contract wallets exceed the size of a cookie, so a payment may be split.
 */

const NAME = 'x402-payment'
/** In characters; browsers limit a cookie with its name and attributes to 4,096 bytes. */
const PART = 3_500
/** With more parts, servers would refuse the request because of its headers. */
const PARTS = 4

/**
 * The payment as `name=value` of its cookies for a path; null if it is too long. The first cookie has the number of
 * parts and the path, with which a server can delete them.
 */
export function cookiesOf(payment: string, path: string): readonly string[] | null {
  const parts = payment.match(new RegExp(`.{1,${PART}}`, 'g')) ?? []
  if (parts.length === 0 || parts.length > PARTS) return null
  const about = `${parts.length}.${encodeURIComponent(path)}.`
  return parts.map((part, at) => `${NAME}-${at}=${at === 0 ? about : ''}${part}`)
}

/**
 * The path of a page's cookies: its own. A semicolon would end the attribute and begin another,
 * e.g. `Domain`, so a path with one uses its folder.
 */
export function cookiePath(pathname: string): string {
  const [plain = '', ...rest] = pathname.split(';')
  return rest.length === 0 ? plain : plain.slice(0, plain.lastIndexOf('/') + 1)
}

/** The payment in a `Cookie` header; null if there is none, or a part is missing. */
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

/** A `Set-Cookie` that deletes the payment in the browser; null if the path is ambiguous. */
export function withoutPayment(header: string | null | undefined): string | null {
  const [, , encoded = ''] = firstPart(paymentCookies(header)) ?? []
  const path = /^(%2F)[\w.~%!'()*-]*$/i.test(encoded) ? decoded(encoded) : null
  if (path === null || !/^\/[\w.~%!'()*$&+,:=@/-]*$/.test(path)) return null
  return `${NAME}-0=; Path=${path}; Max-Age=0; SameSite=Strict`
}

/** The names of all cookies of a payment. */
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
