import type { Scope } from '../../../core/access/scopes.ts'

/** A key as the API lists it. */
export interface KeyJson {
  readonly id: string
  readonly kind: 'secret' | 'publishable'
  readonly name: string
  /** Null for full access. */
  readonly scopes: readonly Scope[] | null
  readonly hint: string
  /** A publishable key itself. */
  readonly key: string | null
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
}

/** A key that was just made. */
export type MadeKeyJson = Pick<KeyJson, 'id' | 'kind' | 'name'> & { readonly key: string }
