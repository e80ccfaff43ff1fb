<?php declare(strict_types=1);

namespace Shop;

use GuzzleHttp\ClientInterface;
use GuzzleHttp\Exception\ConnectException;
use GuzzleHttp\Exception\RequestException;

/** With Guzzle 7. */
final class GuzzleTransport implements Transport
{
    public function __construct(private readonly ClientInterface $guzzle)
    {
    }

    public function send(string $method, string $url, array $headers, ?string $body, float $timeout): array
    {
        $options = ['headers' => $headers, 'body' => $body, 'timeout' => $timeout, 'http_errors' => false];
        try {
            $response = $this->guzzle->request($method, $url, $options);
        } catch (ConnectException | RequestException $error) {
            // A reset is one or the other, half a response always the second. The number is that of curl.
            $number = $error->getHandlerContext()['errno'] ?? 0;
            throw new Lost($error->getMessage(), isLate: $number === CURLE_OPERATION_TIMEDOUT);
        }
        return [$response->getStatusCode(), (string) $response->getBody(), $response->getHeaderLine('Retry-After')];
    }
}
