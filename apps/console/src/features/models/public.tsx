import Container from '@mui/material/Container'
import { PriceViewToggle, usePriceView } from '../../domain/index.ts'
import { Page, useT } from '../../ui/index.ts'
import { Models } from './models.tsx'

/** The model list for visitors; the settings decide whether prices are public. */
export const PublicModelsPage = () => {
  const t = useT()
  const [view, setView] = usePriceView()
  return (
    <Container maxWidth="lg" sx={{ py: { xs: 3, sm: 5 } }}>
      <Page
        title={t('models.publicTitle')}
        intro={t('models.publicIntro')}
        actions={<PriceViewToggle view={view} setView={setView} />}
      >
        <Models view={view} />
      </Page>
    </Container>
  )
}
