import Skeleton from '@mui/material/Skeleton'
import { lazy, Suspense } from 'react'

const Markdown = lazy(async () => ({ default: (await import('./markdown.tsx')).Markdown }))

/** Loads the Markdown renderer in its own chunk, because most pages do not need it. */
export const LazyMarkdown = (props: { text: string; title?: string }) => (
  <Suspense fallback={<Skeleton height={80} variant="rounded" />}>
    <Markdown {...props} />
  </Suspense>
)
