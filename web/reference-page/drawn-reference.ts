/** Draws the API reference with Swagger UI: for the service, or for the entities of the signed-in user. */
import { toOpenApi30 } from './openapi-30.ts';
import type { Session } from './session.ts';
import { showCalls } from './shown-calls.ts';

/** The parts of Swagger UI that this page uses. `swagger-ui-bundle.js` is a separate script of the page. */
interface SwaggerUi {
  readonly specActions: {
    updateUrl(url: string): void;
    updateSpec(document: string): void;
    download(url: string): void;
  };
  readonly authActions: { logout(schemes: readonly string[]): void };
  readonly layoutActions: { updateFilter(filter: string | true): void };
  preauthorizeApiKey(scheme: string, value: string): void;
}

interface SwaggerResponse {
  readonly status?: number;
  readonly url?: string;
  readonly text?: string;
}

interface SwaggerRequest {
  readonly headers: Record<string, string>;
}

declare const SwaggerUIBundle: (options: {
  readonly url: string;
  readonly domNode: HTMLElement;
  readonly deepLinking: boolean;
  readonly docExpansion: 'none';
  readonly filter: boolean;
  readonly onComplete: () => void;
  readonly requestInterceptor: (request: SwaggerRequest) => Promise<SwaggerRequest>;
  readonly responseInterceptor: (response: SwaggerResponse) => Promise<SwaggerResponse>;
}) => SwaggerUi;

/** The API reference on the page. */
export interface DrawnReference {
  /** Draws the reference of the service. */
  showService(): void;
  /** Draws another OpenAPI document. */
  showDocument(document: string): void;
  /** Turns sending the access token with "Try it out" calls on or off. */
  setSignedIn(isSignedIn: boolean): void;
}

const serviceUrl = 'openapi.json';
/** Name of the security scheme in the documents. */
const scheme = 'AccessToken';
/** Swagger UI stores this instead of the token. Each call replaces it with the current token. */
const placeholder = 'current-token';

/** Renders the reference of the service into `container`. Calls `onDrawn` whenever a document has been rendered. */
export function drawReference(container: HTMLElement, session: Session, onDrawn: () => void): DrawnReference {
  const calls = showCalls(container);
  let isSignedIn = false;
  const authorize = () => {
    if (isSignedIn) ui.preauthorizeApiKey(scheme, placeholder);
    else ui.authActions.logout([scheme]);
  };
  const ui = SwaggerUIBundle({
    url: serviceUrl,
    domNode: container,
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    // Swagger UI forgets credentials when it loads a document.
    onComplete: () => {
      if (isSignedIn) authorize();
      onDrawn();
    },
    requestInterceptor: async (request) => {
      if (request.headers.Authorization !== `Bearer ${placeholder}`) return request;
      const token = await session.freshToken();
      if (token === null) delete request.headers.Authorization;
      else request.headers.Authorization = `Bearer ${token}`;
      return request;
    },
    responseInterceptor: async (response) => {
      if (response.status === 401) await session.review();
      const isDocument = response.status === 200 && response.url === new URL(serviceUrl, location.href).href;
      if (!isDocument) return response;
      calls.setDocument(response.text ?? '');
      return { ...response, text: toOpenApi30(response.text ?? '') };
    },
  });
  const begin = (url: string) => {
    ui.specActions.updateUrl(url);
    // The filter and the URL's fragment belong to the previous document.
    ui.layoutActions.updateFilter(true);
    history.replaceState(null, '', location.pathname + location.search);
  };
  return {
    showService() {
      begin(serviceUrl);
      ui.specActions.download(serviceUrl);
    },
    showDocument(document) {
      begin('');
      calls.setDocument(document);
      ui.specActions.updateSpec(toOpenApi30(document));
    },
    setSignedIn(isNow) {
      isSignedIn = isNow;
      authorize();
    },
  };
}
