/** A named set of filters and columns for invoices. */

export interface SavedView {
  readonly id: string
  readonly name: string
  /** The query string of the page. */
  readonly query: string
}

export const LONGEST_VIEW_NAME = 60
export const LONGEST_VIEW_QUERY = 1_000
/** The most that one user keeps of one merchant. */
export const MOST_VIEWS = 20
