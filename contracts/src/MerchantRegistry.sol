// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ECDSA} from "solady/utils/ECDSA.sol";
import {Clones} from "./Clones.sol";
import {HubAccess} from "./HubAccess.sol";
import {HubTypedData} from "./libraries/HubTypedData.sol";

/// @title MerchantRegistry
/// @notice Where each merchant's money goes, as the configuration key signed it.
abstract contract MerchantRegistry is Clones, HubAccess {
    /// @dev One storage slot: 20 + 2 + 6 + 4 bytes.
    struct Merchant {
        address treasury;
        uint16 feeBps;
        uint48 feeCap;
        uint32 version;
    }

    /// @notice No signature can set a higher rate: 10 %.
    uint16 public constant MAX_FEE_BPS = 1_000;
    uint256 internal constant BPS = 10_000;

    /// @notice The registry; version zero means that there is no entry.
    mapping(bytes16 merchantId => Merchant) public merchants;

    /// @notice Writes signed entries. Anyone may submit them.
    /// @dev    For each item:
    ///         1. refuse it, by event, if the signature is not the configuration key's, if its
    ///            version is not newer than the registry's, or if its terms are impossible;
    ///         2. otherwise write it.
    ///         Nothing in an item can revert, so items need no call of their own to isolate them.
    function configure(MerchantConfig[] calldata configs, bytes[] calldata signatures) external {
        if (configs.length != signatures.length) {
            revert LengthMismatch(configs.length, signatures.length);
        }
        for (uint256 i; i < configs.length; ++i) {
            MerchantConfig calldata config = configs[i];
            bytes memory refusal = _refuse(config, signatures[i]);
            if (refusal.length != 0) {
                emit ConfigureFailed(config.merchantId, config.version, refusal);
                continue;
            }
            merchants[config.merchantId] =
                Merchant(config.treasury, config.feeBps, config.feeCap, config.version);
            emit MerchantConfigured(
                config.merchantId, config.treasury, config.feeBps, config.feeCap, config.version
            );
        }
    }

    /// @dev The encoded error for which an entry is refused; empty if it is valid.
    function _refuse(MerchantConfig calldata config, bytes calldata signature)
        private
        view
        returns (bytes memory)
    {
        bytes32 digest = HubTypedData.configDigest(config, address(this));
        address signer = ECDSA.tryRecoverCalldata(digest, signature);
        if (signer != configSigner) {
            return abi.encodeWithSelector(WrongSigner.selector, signer, configSigner);
        }
        uint32 current = merchants[config.merchantId].version;
        if (config.version <= current) {
            return abi.encodeWithSelector(StaleVersion.selector, config.version, current);
        }
        if (config.treasury == address(0)) return abi.encodeWithSelector(ZeroAddress.selector);
        if (config.treasury == address(this)) {
            return abi.encodeWithSelector(HubAsReceiver.selector, config.treasury);
        }
        if (config.treasury == forwarderAddress(config.merchantId)) {
            return abi.encodeWithSelector(TreasuryIsForwarder.selector, config.treasury);
        }
        if (config.feeBps > MAX_FEE_BPS) {
            return abi.encodeWithSelector(FeeRateAboveCap.selector, config.feeBps, MAX_FEE_BPS);
        }
        return "";
    }

    /// @dev The entry, if it is the one that the caller knows. Relayers have no order among
    ///      themselves, so an item that pays a treasury names the version it was made for.
    function _merchantAt(bytes16 merchantId, uint32 version)
        internal
        view
        returns (Merchant memory merchant)
    {
        merchant = merchants[merchantId];
        if (merchant.version == 0) revert MerchantNotConfigured(merchantId);
        if (merchant.version != version) {
            revert RegistryVersionMismatch(version, merchant.version);
        }
    }
}
