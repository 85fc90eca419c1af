/** A catalogue with the entries of the English one, each in another language. */
export type Translated<English> = { readonly [Key in keyof English]: string }
