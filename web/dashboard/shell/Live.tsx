import { useLive } from '../session/live.ts'

/** Follows a merchant while one of its pages is shown to a member. */
export function Live({ merchantId }: { readonly merchantId: string }) {
  useLive(merchantId)
  return null
}
