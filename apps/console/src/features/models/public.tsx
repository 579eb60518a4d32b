import Container from '@mui/material/Container'
import { Page, useT, useView, ViewToggle } from '../../ui/index.ts'
import { Models } from './models.tsx'

/** The same for visitors, as far as the settings show it to them. */
export const PublicModelsPage = () => {
  const t = useT()
  const [view, setView] = useView()
  return (
    <Container maxWidth="lg" sx={{ py: { xs: 3, sm: 5 } }}>
      <Page
        title={t('models.publicTitle')}
        intro={t('models.publicIntro')}
        actions={<ViewToggle view={view} setView={setView} />}
      >
        <Models view={view} />
      </Page>
    </Container>
  )
}
