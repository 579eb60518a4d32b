/**
 * The meaning of a channel's free field. `api_version`: a version for the query, such as 2024-10-21. `path_version`: one
 * for the path, such as v1beta. `model_version`: completes the name of a model. `region_and_project`: `Region|ProjectID`.
 */
export type FreeField =
  | 'api_version'
  | 'path_version'
  | 'model_version'
  | 'region'
  | 'region_and_project'
