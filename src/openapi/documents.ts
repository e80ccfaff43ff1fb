import control from '../../openapi/control-plane.json' with { type: 'json' };
import merchant from '../../openapi/merchant-api.json' with { type: 'json' };
import merchant30 from '../../openapi/merchant-api-3.0.json' with { type: 'json' };

/*
 * The published documents, made when the project is built and loaded when somebody asks: a sandbox
 * that serves no document never pays for one.
 */

export const merchantDocument: object = merchant;
export const merchantDocument30: object = merchant30;
export const controlDocument: object = control;
