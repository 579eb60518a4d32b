import { PriceViewToggle, usePriceView } from '../../domain/index.ts'
import { Page, useT } from '../../ui/index.ts'
import { Models } from './models.tsx'

/** The models of the user's groups. */
export const ModelsPage = () => {
  const t = useT()
  const [view, setView] = usePriceView()
  return (
    <Page
      title={t('models.title')}
      intro={t('models.intro')}
      actions={<PriceViewToggle view={view} setView={setView} />}
    >
      <Models view={view} />
    </Page>
  )
}
