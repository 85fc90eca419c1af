import { useLocation } from 'preact-iso'

/** A list's filters, kept in the URL unless empty. */
export function useFilters() {
  const { path, route } = useLocation()
  return (filters: Readonly<Record<string, string>>): void => {
    const given = Object.entries(filters).filter(([, value]) => value !== '')
    route(given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`)
  }
}
