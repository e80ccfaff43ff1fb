<?php declare(strict_types=1);

namespace Shop;

/** With the curl extension alone. */
final class CurlTransport implements Transport
{
    public function send(string $method, string $url, array $headers, ?string $body, float $timeout): array
    {
        $wait = '';
        $lines = array_map(static fn($name, $value) => "$name: $value", array_keys($headers), $headers);
        $request = curl_init($url);
        curl_setopt_array($request, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => (int) ($timeout * 1000),
            CURLOPT_HEADERFUNCTION => static function ($request, string $line) use (&$wait): int {
                if (preg_match('/^Retry-After: *(\d+)/i', $line, $match)) {
                    $wait = $match[1];
                }
                return strlen($line);
            },
        ]);
        if ($body !== null) {
            curl_setopt($request, CURLOPT_POSTFIELDS, $body);
        }
        $text = curl_exec($request);
        if ($text === false) {
            throw new Lost(curl_error($request), isLate: curl_errno($request) === CURLE_OPERATION_TIMEDOUT);
        }
        return [curl_getinfo($request, CURLINFO_RESPONSE_CODE), $text, $wait];
    }
}
