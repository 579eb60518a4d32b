import Box from '@mui/material/Box'
import CircularProgress from '@mui/material/CircularProgress'
import Container from '@mui/material/Container'
import Typography from '@mui/material/Typography'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState, Markdown, useT } from '../../ui'

type Props = {
  text: UseQueryResult<string>
  title: string
  /** Said where the text cannot be loaded. */
  failed: string
  fallback: ReactNode
}

/** The site's own text for a page, an embedded address, or the fallback. */
export const SiteText = ({ text, title, failed, fallback }: Props) => {
  const t = useT()
  if (text.isPending)
    return (
      <Box
        sx={{
          display: 'flex',
          flex: 1,
          minHeight: '60vh',
          alignItems: 'center',
          justifyContent: 'center',
        }}
      >
        <CircularProgress aria-label={t('common.loading')} />
      </Box>
    )
  if (text.isError)
    return (
      <Container maxWidth="sm" sx={{ py: 6 }}>
        <Typography variant="h2" component="h1" gutterBottom>
          {failed}
        </Typography>
        <ErrorState error={text.error} retry={() => void text.refetch()} />
      </Container>
    )
  if (!text.data) return fallback
  if (/^https?:\/\/\S+$/.test(text.data.trim())) return <Markdown text={text.data} title={title} />
  return (
    <Container maxWidth="md" sx={{ py: 5 }}>
      <Markdown text={text.data} title={title} />
    </Container>
  )
}
